"""Pictures of episodes that succeed or fail."""

from __future__ import annotations

import numpy as np

from ludus.reports.success_plots import Outcomes, draw_finish

FAST = Outcomes("fast", (True, True, False), (2256, 2256, 900), (60, 70, 20))
NEVER = Outcomes("never", (False,), (500,), (1100,))


def test_only_completed_episodes_have_a_time() -> None:
    assert FAST.finishes == [60, 70]
    figure = draw_finish([FAST, NEVER], "mario-arena/1-1@1")
    dots = [x for line in figure.axes[0].lines for x in np.asarray(line.get_xdata()).tolist()]
    assert dots == [60, 70]
    words = {text.get_text() for text in figure.findobj() if hasattr(text, "get_text")}
    assert {"median 65", "never"} <= words
