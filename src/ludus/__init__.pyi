from ludus.api import board as board
from ludus.api import check as check
from ludus.api import compare as compare
from ludus.api import judge as judge
from ludus.api import level as level
from ludus.api import open_seasons as open_seasons
from ludus.api import play_season as play_season
from ludus.api import race as race
from ludus.api import replay as replay
from ludus.api import resume as resume
from ludus.api import reveal_season as reveal_season
from ludus.api import run as run
from ludus.api import seasons as seasons
from ludus.api import start_season as start_season
from ludus.api import train as train
from ludus.api import trust as trust
from ludus.api import verify as verify

__version__: str
