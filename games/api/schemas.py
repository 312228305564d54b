"""What the API takes and gives. The descriptions are those of the OpenAPI document and of its page."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

from ninja import Field, Schema
from pydantic import ConfigDict, field_validator

from games.bots import LEVELS

Page = Annotated[int, Field(ge=1, le=1_000_000, description="The page, from 1; beyond the last is the last.")]
Score = Annotated[
    list[int], Field(description="By side: seats 0 and 2, seats 1 and 3; each seat's own where two or three play.")
]


class Problem(Schema):
    """Every refusal has this shape."""

    error: str = Field(description="A code that stays the same: not_found, stale_version, follow_suit, …")
    message: str = Field(description="A sentence for people, in the language of Accept-Language.")


class StaleProblem(Problem):
    """The table has moved on."""

    table: TableState | None = Field(None, description="With stale_version: the table as it stands now.")
    table_id: int | None = Field(None, description="With seat_held: where you have a seat.")


# --- a table ------------------------------------------------------------------------------------


class SeatState(Schema):
    """A seat, as everybody sees it."""

    index: int = Field(description="Clockwise from 0. Of four, 0 and 2 are partners, and 1 and 3.")
    player: str | None = Field(description="The name; null for an empty seat.")
    bot: bool = Field(description="One of the site's bots.")
    program: bool = Field(description="A program plays it, with its owner's token.")
    rating: int | None
    give_or_take: int | None
    kept_by_bot: bool = Field(description="A bot plays until the owner takes the seat back.")
    left: bool
    connected: bool
    ready: bool = Field(description="For the next deal, or the rematch.")


class Play(Schema):
    """A card that was played."""

    seat: int
    card: str


class TakenTrick(Schema):
    """A finished trick."""

    plays: list[Play]
    winner: int = Field(description="The seat that took it.")


class Said(Schema):
    """An action of the deal so far."""

    seat: int
    action: str = Field(description="In notation. What others put away or gave has no card.")


class DealState(Schema):
    """The deal as the asker may know it."""

    phase: str = Field(description="swap, benny, weak, bid1, bid2, exchange, dummy, alone, best, play or done.")
    dealer: int
    turn: int | None
    leader: int | None = Field(description="Who leads, or led, the trick in progress.")
    counts: list[int] = Field(description="Cards in the hand of each seat.")
    up_card: str
    up_card_state: str
    trump: str | None = Field(description="C, D, H, S, or N for no-trump.")
    maker: int | None
    loners: list[int]
    sitting_out: list[int]
    history: list[Said]
    trick: list[Play]
    tricks: list[TakenTrick]
    tricks_won: list[int] = Field(description="By side.")
    points: Score
    passed_out: bool
    redeal: bool
    shown: list[str] = Field(description="A weak hand that was declared for a new deal.")


class OwnSeat(Schema):
    """What only the seat itself knows, and what it may do."""

    seat: int
    hand: list[str]
    discard: str | None
    put_away: list[str]
    legal_actions: list[str] = Field(description="In notation; empty while it is not your turn.")
    commands: list[str] = Field(
        description="What else you may do: next, rematch, take_back, bots, leave, take_win, play_on."
    )


class TableState(Schema):
    """A table as it stands."""

    id: int
    title: str
    revision: int = Field(description="Counts everything that can be seen; the id of the stream's events.")
    version: int = Field(description="Counts moves; every move carries it.")
    phase: str = Field(description="open, a phase of the deal, between (two deals), over, or closed.")
    ranked: bool
    pace: int = Field(description="Seconds a move.")
    rules: str = Field(description="In notation.")
    game: int | None
    deal_number: int
    score: Score
    winner: int | None = Field(description="The side that won, once the game is over.")
    win_offered: int | None = Field(description="The side that may take the win, for all others have left.")
    turn: int | None = Field(description="The seat that has to move.")
    due_at: datetime | None = Field(description="When the clock, or a bot, moves.")
    seconds_left: float | None = Field(description="Until then, when this was written.")
    commitment: str = Field(description="What the deals can be checked by; see /fair/.")
    seats: list[SeatState]
    deal: DealState | None
    own: OwnSeat | None = Field(description="Your seat, with your token; null for all others.")


# --- what is done -------------------------------------------------------------------------------


class Asked(Schema):
    """A body; a field that is not known is refused."""

    model_config = ConfigDict(extra="forbid")


class Move(Asked):
    """What to do at a table."""

    action: str = Field(max_length=40, description="In notation (play:JD, order_up, call:H), or one of your commands.")
    version: int | None = Field(
        None,
        ge=0,
        lt=10**9,
        description="The version that you decided on; moves need it, commands do not.",
    )
    alone: bool = Field(False, description="With a call: go alone.")


class Sit(Asked):
    """Which seat."""

    seat: int | None = Field(None, ge=0, le=3, description="Any empty one where it is left out.")
    code: str = Field("", max_length=16, description="Of a private table: the code in its link.")


class QuickMatch(Asked):
    """What to play."""

    ranked: bool = Field(False, description="Programs play friendly games only: true is refused.")
    pace: Literal[10, 20, 45] = Field(20, description="Seconds a move.")
    stick: Literal["no", "yes", "either"] = Field("either", description="Stick the dealer.")
    bots: str = Field("", max_length=16, description="The level of the bots that come to a new table; empty: any.")

    @field_validator("bots")
    @classmethod
    def is_a_level(cls, bots: str) -> str:
        if bots and bots not in LEVELS:
            raise ValueError(f"one of {', '.join(LEVELS)}")
        return bots


# --- lists --------------------------------------------------------------------------------------


class Paged(Schema):
    """A page of a list."""

    page: int
    pages: int
    total: int


class Sitter(Schema):
    """A seat of a table in the list."""

    index: int
    player: str | None
    bot: bool
    program: bool


class TableLine(Schema):
    """A table in the list."""

    id: int
    title: str
    phase: str
    ranked: bool
    pace: int
    rules: str
    score: Score
    deal_number: int
    seats: list[Sitter]


class Tables(Paged):
    """Tables, the newest first."""

    tables: list[TableLine]


class Played(Schema):
    """Who sat at a seat of a game that is over."""

    index: int
    player: str | None = Field(description="null for somebody who is gone.")
    bot: bool
    program: bool
    won: bool
    left: bool
    change: int | None = Field(description="Of the rating, in points; null where the game did not move it.")


class GameLine(Schema):
    """A game that was played to its end."""

    id: int
    started_at: datetime
    finished_at: datetime
    ranked: bool
    voided: bool = Field(description="Its rating changes were taken back.")
    pace: int
    rules: str
    score: Score
    seats: list[Played]


class Games(Paged):
    """Games, the newest first."""

    games: list[GameLine]


class Standing(Schema):
    """A row of the standings."""

    rank: int | None = Field(description="null for bots, and for who has too few games.")
    name: str
    bot: bool
    rating: int
    give_or_take: int
    games: int
    won: int
    won_percent: int | None
    calls: int
    euchred: int
    euchred_percent: int | None


class Standings(Paged):
    """A page of the standings."""

    ranked: int = Field(description="How many have a rank.")
    players: list[Standing]


class Record(Schema):
    """Ranked games of a period."""

    games: int
    won: int
    deals: int
    calls: int
    calls_made: int
    euchred: int
    euchres: int
    marches: int
    loners_tried: int
    loners_made: int


class Profile(Schema):
    """A player, as everybody may know him."""

    name: str
    bot: str = Field(description="The level of a bot; empty for people.")
    guest: bool
    rating: int | None
    give_or_take: int | None
    rank: int | None = Field(description="This season.")
    of: int = Field(description="How many have a rank.")
    record: Record


class Me(Schema):
    """Whom the token speaks for."""

    name: str
    table: int | None = Field(description="Where you have a seat.")
