"""The API does what its OpenAPI document says, whatever is sent."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, given, settings
from tests.web import conftest
from tests.web.conftest import Played, furnish

from ludus.runs import Store
from ludus.web.app import create_app
from ludus.web.guards import RateLimit

if TYPE_CHECKING:  # a second of imports that only the process of this test needs
    import schemathesis

EXAMPLES = int(os.environ.get("LUDUS_API_EXAMPLES", "8"))
"""How many requests each operation gets. What is sent may be well formed and still be refused:
no schema says which levels and runs there are."""


@pytest.fixture(scope="module")
def store(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    opened = furnish(played, tmp_path_factory.mktemp("api"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def document(store: Store) -> schemathesis.BaseSchema:
    """The document of an arena that nobody has to wait for."""
    import schemathesis

    app = create_app(store, replace(conftest.settings(), submissions=True))
    patient = RateLimit(1_000_000, 1.0)
    limits = dict.fromkeys(("plays", "logins", "uploads", "visits", "answers"), patient)
    app.state.arena = replace(app.state.arena, **limits)
    return schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)


PATIENT = settings(
    max_examples=EXAMPLES,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def test_the_api_keeps_its_word(document: schemathesis.BaseSchema) -> None:
    from schemathesis.core.result import Err
    from schemathesis.specs.openapi.checks import positive_data_acceptance

    broken: list[str] = []
    found = list(document.get_all_operations())
    assert not [one for one in found if isinstance(one, Err)]
    operations = [one.ok() for one in found if not isinstance(one, Err)]
    for operation in operations:
        strategy = operation.as_strategy()

        @PATIENT
        @given(case=strategy)
        def check(case: schemathesis.Case[Any]) -> None:
            case.call_and_validate(excluded_checks=[positive_data_acceptance])

        try:
            check()
        except* Exception as group:
            broken += [f"{operation.label}: {error}" for error in group.exceptions]
    assert not broken, "\n\n".join(broken)
    assert len(operations) > 20
