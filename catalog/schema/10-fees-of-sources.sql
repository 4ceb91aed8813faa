CREATE INDEX events_by_neg_risk ON events (neg_risk_event_id) WHERE neg_risk_event_id <> '';

-- The fees that a source tells move to its live fields, which trading here replaces. Before, a
-- market that charges nothing here showed the fees of its source.

UPDATE markets SET
  told = json_patch(told, (SELECT json_group_object(key, json(value)) FROM (
    SELECT key, markets.record -> fullkey AS value FROM json_each(markets.record)
    WHERE key IN ('feesEnabled', 'feeType', 'feeSchedule', 'makerBaseFee', 'takerBaseFee')
      AND type <> 'null'))),
  record = json_remove(record, '$.feesEnabled', '$.feeType', '$.feeSchedule', '$.makerBaseFee',
    '$.takerBaseFee')
WHERE record LIKE '%"fee%' OR record LIKE '%BaseFee"%';
