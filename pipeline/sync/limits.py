"""Every number about a service that the sync goes by, with its unit; settings are in `options`.

Numbers that say nothing about a service (of PostgreSQL, messages, an algorithm) stand where they are used.
"""

from datetime import UTC, datetime, timedelta

# Dates of a question (docs/service.md 4.3).

#: Days that a question asks for before its first day and after its last one. Nobody says in which zone the
#: service cuts days, nor whether ``to`` includes its day.
DAYS_BEFORE, DAYS_AFTER = 1, 2

#: Days that a question for a single day asks for. Two questions for days less far apart ask for some twice.
DATES_OF_A_DAY = DAYS_BEFORE + 1 + DAYS_AFTER

#: Days by which what was created on a day may lie beside it in another zone.
ZONE_DAYS = 1

#: How long before UTC's day the first one begins on earth, and how long after it the last one does.
FIRST_ZONE, LAST_ZONE = timedelta(hours=14), timedelta(hours=12)

#: Days before and after its dates of which an answer may hold rows. `FAR_ROWS` beyond them, if they are one
#: row in `FAR_SHARE`, show that dates do not mean the creation.
FAR_DAYS, FAR_ROWS, FAR_SHARE = 3, 5, 10

# Windows of days that a walk reads (docs/design.md "Rounds").

#: Most days of a window, where the list has few rows, and the rows of a window that is long enough. The
#: days around it are read twice: short windows cost most.
LONGEST, ENOUGH_ROWS = 64, 16000

#: Most rows that are held as read, since most come twice; they take about a kilobyte each. A walk forgets
#: its own when a window is read.
MOST_ROWS_HELD = 40_000

#: Rows of a new window, below which the next one is longer. Details begin when their window is read, so a
#: long one keeps them waiting.
NEW_ROWS = 2000

#: Most days of a window after one in which nothing was found. Services limit ranges to a year, if they do.
LONGEST_EMPTY = 366

#: Days of a range to try when more are refused. What is refused of the last is refused for another reason.
RANGES = (180, 90, 60, 30, 14, 7)

#: Times that a window is at most as long as one before it.
GROWTH = 8

#: Days of a question with small pages: of a short window, and of a long one where the list has many rows.
PIECE, LONG_PIECE = 4, 8

#: Days around its own of which a question of a walk may have rows: a piece begins `PIECE` days earlier.
#: What a question asks for is `DAYS_BEFORE`.
SHOWN_AROUND = PIECE + DAYS_BEFORE + ZONE_DAYS

#: Days between a day and one that is walked, so that it adds its own rows only, and those of a day between.
NEAR_WALKED = 2

#: Walks of a run over days that it has reopened.
MOST_WALKS = 4

#: Questions to the list that an estimate asks, whatever is planned.
ESTIMATE_QUESTIONS = 3

# Pages of the list.

#: Rows of a page where a request has no ``limit`` (docs/service.md 4.3).
SMALL_PAGE = 35

#: Rows of a page to try when a larger ``limit`` fails.
PAGE_SIZES = (500, 250, 100, 50, SMALL_PAGE, 20, 10, 1)

#: Rows of a page that may be full, whatever ``limit`` was asked for.
ROUND_SIZES = frozenset(PAGE_SIZES[:-2])

#: Rows of the smallest page that a walk asks for.
SMALLEST_PAGE = 10

#: Pages in a row without a new row, after which a question ends: the service may repeat them for ever.
MOST_IDLE_PAGES = 3

#: The same where the service leaves rows out of pages: many may be empty.
MOST_SPARSE_PAGES = 60

#: The number of a page that no list has.
FAR_PAGE = 100_000

#: Pages requested at once, where an earlier question shows that there are as many.
SIDE_BY_SIDE = 8

#: Statuses by which a list without any row may be answered, where others have some.
EMPTY_STATUSES = (204, 404)

#: Statuses by which a list is refused for what was asked: too many days or rows, or too old ones.
REFUSING_STATUSES = (400, 413, 422)

#: Rows of an answer that may be cut off; one row need not be.
LEAST_CUT = 2

# Clocks.

#: What is younger need not be in an answer: caches and copies of the list may be so old.
YOUNG = timedelta(minutes=30)

#: Our reading of the service's clock may be ahead by so much: a deadline that has just passed still counts.
CLOCK_DOUBT = timedelta(minutes=2)

#: No business asks before, and no clock is so far ahead.
EARLIEST_CREATION, FARTHEST_AHEAD = datetime(2000, 1, 1, tzinfo=UTC), timedelta(days=2)

#: Seconds that were taken for milliseconds lie before it.
SECONDS_END = datetime(1970, 3, 1, tzinfo=UTC)

# What is missing, refused or in doubt.

#: Missing activities of a day that are asked for first. If one is answered, the list is wrong.
PROBES = 5

#: Activities that look gone and are asked for once more.
ONCE_MORE = 2

#: Stored activities of a kind that show that a refusal of all of them is no accident.
LEAST_OF_A_KIND = 5

#: Nights that find a lost access before the one that marks.
NIGHTS_BEFORE_LOST = 2

#: Activities with one kind of discrepancy that a run asks for again.
MOST_DOUBTFUL = 20

# Requests.

#: A night's sample has one request for so many that its process sent before, but no fewer than the second.
SAMPLE_PART, SAMPLE_LEAST = 10, 5

#: Seconds that a newcomer waits, so that the others have made room before its first request.
ROOM = 1.5
