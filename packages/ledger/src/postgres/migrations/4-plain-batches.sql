-- What there is most of, new events and new sends, a whole batch in a handful of statements. `events_` is a JSON array of
-- events in their order, `s` the place of each one's session in `ids`. Whatever is not plain (a session that is not there, a send
-- that is, a term that is over) raises DB002, and the caller sends the same to commit_batch, which answers for each.
CREATE FUNCTION commit_plain(lane_ uuid, number_ bigint, term_ bigint, ids text[], sends bigint, events_ jsonb)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  heads bigint[];
  hashes text[];
  quoted text[];
  e record;
  sequences bigint[];
  before_hashes text[];
  after_hashes text[];
  counted bigint;
  answer text;
BEGIN
  IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') OR current_setting('fsync') <> 'on'
    OR current_setting('full_page_writes') <> 'on' THEN
    RAISE EXCEPTION USING ERRCODE = 'DB003', MESSAGE = 'synchronous_commit, fsync or full_page_writes is off';
  END IF;
  IF term_ IS NOT NULL THEN
    PERFORM pg_advisory_xact_lock_shared(1148338802, 2);
    PERFORM 1 FROM lease WHERE term = term_;
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'DB002', MESSAGE = 'another term';
    END IF;
  END IF;

  SELECT count(c.head), array_agg(c.head ORDER BY o), array_agg(encode(c.head_hash, 'hex') ORDER BY o),
      array_agg('",' || to_json(id) || ',' ORDER BY o)
    INTO counted, heads, hashes, quoted
    FROM unnest(ids) WITH ORDINALITY AS asked (id, o)
    LEFT JOIN (
      SELECT session_id, head, head_hash FROM sessions WHERE session_id = ANY (ids)
      ORDER BY session_id FOR NO KEY UPDATE
    ) c ON c.session_id = id;
  IF counted <> cardinality(ids) THEN
    RAISE EXCEPTION USING ERRCODE = 'DB002', MESSAGE = 'a session is not there';
  END IF;

  FOR e IN SELECT * FROM jsonb_to_recordset(events_) AS (s integer, hashed text, payload text) LOOP
    heads[e.s] := heads[e.s] + 1;
    sequences := sequences || heads[e.s];
    before_hashes := before_hashes || hashes[e.s];
    hashes[e.s] := encode(sha256(convert_to(
      '["' || hashes[e.s] || quoted[e.s] || heads[e.s] || ',' || e.hashed || ',' || to_json(e.payload) || ']',
      'UTF8')), 'hex');
    after_hashes := after_hashes || hashes[e.s];
  END LOOP;

  IF sends > 0 THEN
    INSERT INTO messages (session_id, client_message_id, identity_hash, device_id, payload, state, accepted_at, event_id,
        sequence, expires_at)
      SELECT ids[s], client_message_id, identity_hash, device_id, content, 'accepted', at, event_id, sequence, expires_at
      FROM ROWS FROM (
        jsonb_to_recordset(events_) AS (s integer, event_id text, at bigint, client_message_id text, identity_hash text,
          device_id text, content text, expires_at bigint),
        unnest(sequences)
      ) AS made (s, event_id, at, client_message_id, identity_hash, device_id, content, expires_at, sequence)
      WHERE client_message_id IS NOT NULL
      ON CONFLICT (session_id, client_message_id) DO NOTHING;
    GET DIAGNOSTICS counted = ROW_COUNT;
    IF counted <> sends THEN
      RAISE EXCEPTION USING ERRCODE = 'DB002', MESSAGE = 'a send is there already';
    END IF;
  END IF;

  INSERT INTO events (session_id, sequence, event_id, type, at, message_id, payload, prev_hash, hash)
    SELECT ids[s], sequence, event_id, type, at, message_id, payload, decode(before_hash, 'hex'), decode(after_hash, 'hex')
    FROM ROWS FROM (
      jsonb_to_recordset(events_) AS (s integer, event_id text, type text, at bigint, message_id text, payload text),
      unnest(sequences), unnest(before_hashes), unnest(after_hashes)
    ) AS made (s, event_id, type, at, message_id, payload, sequence, before_hash, after_hash);

  UPDATE sessions SET head = moved.head, head_hash = decode(moved.hash, 'hex')
    FROM unnest(ids, heads, hashes) AS moved (id, head, hash) WHERE session_id = moved.id;

  answer := '{"sequences":' || array_to_json(sequences) || ',"hashes":' || array_to_json(after_hashes) || '}';
  INSERT INTO lanes (lane, batch, outcome) VALUES (lane_, number_, answer)
    ON CONFLICT (lane) DO UPDATE SET batch = excluded.batch, outcome = excluded.outcome, at = excluded.at
    WHERE lanes.batch < excluded.batch;
  IF NOT FOUND THEN
    RAISE EXCEPTION USING ERRCODE = 'DB001', MESSAGE = 'this batch was settled as not committed';
  END IF;
  RETURN answer;
END
$$;
