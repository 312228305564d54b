"""What is stored. Constraints only: rules live in ``games.engine``, writes in ``games.services``."""

from games.models.api import Token
from games.models.daily import DailyDeal, DailyPlay
from games.models.games import Accuracy, Analysis, Deal, DealCounts, Game, Participation, RatingChange, StaffAction
from games.models.people import Block, Friendship
from games.models.players import Player, PlayerManager, Rating, RuleSet
from games.models.pulse import Pulse
from games.models.tables import Seat, Table
from games.models.talk import LONGEST_MESSAGE, Message, Report, SameAddress, Sanction, UnwantedWord

__all__ = [
    "LONGEST_MESSAGE",
    "Accuracy",
    "Analysis",
    "Block",
    "DailyDeal",
    "DailyPlay",
    "Deal",
    "DealCounts",
    "Friendship",
    "Game",
    "Message",
    "Participation",
    "Player",
    "PlayerManager",
    "Pulse",
    "Rating",
    "RatingChange",
    "Report",
    "RuleSet",
    "SameAddress",
    "Sanction",
    "Seat",
    "StaffAction",
    "Table",
    "Token",
    "UnwantedWord",
]
