-- Indexes of further filters (wire 8.2, 8.3). Only imported records have these members.

CREATE INDEX markets_by_question_id ON markets (question_id) WHERE question_id <> '';
CREATE INDEX markets_by_game ON markets (CAST(record ->> '$.gameId' AS TEXT))
  WHERE CAST(record ->> '$.gameId' AS TEXT) IS NOT NULL;
CREATE INDEX markets_by_sports_type ON markets (record ->> '$.sportsMarketType')
  WHERE record ->> '$.sportsMarketType' IS NOT NULL;
CREATE INDEX markets_by_maker ON markets (lower(record ->> '$.marketMakerAddress'))
  WHERE lower(record ->> '$.marketMakerAddress') IS NOT NULL;
CREATE INDEX series_by_recurrence ON series (recurrence COLLATE NOCASE, id);
CREATE INDEX series_by_state ON series (closed, id);
