-- How and when a source says that a market ended moves to its live fields, which trading here
-- replaces. Before, a market that trades here showed the end of its source.

UPDATE markets SET
  told = json_patch(told, (SELECT json_group_object(key, json(value)) FROM (
    SELECT key, markets.record -> fullkey AS value FROM json_each(markets.record)
    WHERE key IN ('umaResolutionStatus', 'umaResolutionStatuses', 'closedTime')
      AND type <> 'null'))),
  record = json_remove(record, '$.umaResolutionStatus', '$.umaResolutionStatuses', '$.closedTime')
WHERE record LIKE '%"umaResolutionStatus%' OR record LIKE '%"closedTime"%';
