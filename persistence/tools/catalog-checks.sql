-- Checks derived data in catalog.db against the rows that it follows from. Each statement selects
-- one wrong row: its table (place), and the parts of a sentence such as "tag 7: the number of its
-- events is 3, and other rows give 2" (record, name, value, said, derived).

SELECT 'market_figures' AS place, 'market' AS record, r.id AS name,
  'the number of its rows in market_figures' AS value, 0 AS said, 1 AS derived
FROM markets r LEFT JOIN market_figures f ON f.market_id = r.id
WHERE f.market_id IS NULL LIMIT 1;

SELECT 'market_figures' AS place, 'figures of market' AS record, r.id AS name,
  'its state' AS value, f.state AS said, r.state AS derived
FROM markets r JOIN market_figures f ON f.market_id = r.id
WHERE f.state IS NOT r.state LIMIT 1;

SELECT 'event_figures' AS place, 'event' AS record, r.id AS name,
  'the number of its rows in event_figures' AS value, 0 AS said, 1 AS derived
FROM events r LEFT JOIN event_figures f ON f.event_id = r.id
WHERE f.event_id IS NULL LIMIT 1;

SELECT 'event_figures' AS place, 'figures of event' AS record, r.id AS name,
  'its state' AS value, f.state AS said, r.state AS derived
FROM events r JOIN event_figures f ON f.event_id = r.id
WHERE f.state IS NOT r.state LIMIT 1;

SELECT 'market_tokens' AS place, 'market' AS record, 'the number of its tokens' AS value, *
FROM (
  SELECT id AS name, 2 AS said,
    (SELECT count(*) FROM market_tokens t WHERE t.market_id = markets.id) AS derived
  FROM markets
) WHERE said IS NOT derived LIMIT 1;

SELECT 'tags' AS place, 'tag' AS record, 'the number of its events' AS value, *
FROM (
  SELECT rowid AS name, event_count AS said,
    (SELECT count(*) FROM event_tags l WHERE l.tag_id = tags.id) AS derived
  FROM tags
) WHERE said IS NOT derived LIMIT 1;

SELECT 'event_figures' AS place, 'event' AS record, 'the number of its comments' AS value, *
FROM (
  SELECT rowid AS name, own_comments AS said,
    (SELECT count(*) FROM comments c
      WHERE c.event_id = event_figures.event_id AND c.is_shown) AS derived
  FROM event_figures
) WHERE said IS NOT derived LIMIT 1;

SELECT 'comments' AS place, 'comment' AS record, 'the number of its replies' AS value, *
FROM (
  SELECT rowid AS name, reply_count AS said,
    (SELECT count(*) FROM comments r
      WHERE r.parent_comment_id = comments.id AND r.is_shown) AS derived
  FROM comments
) WHERE said IS NOT derived LIMIT 1;

SELECT 'comments' AS place, 'comment' AS record, 'the number of its reactions' AS value, *
FROM (
  SELECT rowid AS name, reaction_count AS said,
    (SELECT count(*) FROM reactions r WHERE r.comment_id = comments.id) AS derived
  FROM comments
) WHERE said IS NOT derived LIMIT 1;

SELECT 'comments' AS place, 'comment' AS record, 'the number of its reports' AS value, *
FROM (
  SELECT rowid AS name, report_count AS said,
    (SELECT count(*) FROM comment_reports r WHERE r.comment_id = comments.id) AS derived
  FROM comments
) WHERE said IS NOT derived LIMIT 1;

SELECT 'comments' AS place, 'comment' AS record,
  'the first comment of its conversation' AS value, *
FROM (
  SELECT rowid AS name, thread_id AS said, iif(parent_comment_id IS NULL, id,
    (SELECT above.thread_id FROM comments above
      WHERE above.id = comments.parent_comment_id)) AS derived
  FROM comments
) WHERE said IS NOT derived LIMIT 1;

SELECT 'comments' AS place, 'comment' AS record, c.id AS name, 'its parent' AS value,
  c.parent AS said, above.parent AS derived
FROM comments c JOIN comments above ON above.id = c.parent_comment_id
WHERE above.parent <> c.parent LIMIT 1;

SELECT 'comment_removals' AS place, 'comment' AS record, c.id AS name,
  'its text after its removal' AS value, c.body AS said, '' AS derived
FROM comments c JOIN comment_removals r ON r.comment_id = c.id
WHERE c.body <> '' LIMIT 1;
