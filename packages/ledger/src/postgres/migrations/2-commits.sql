-- A batch of transactions in one round trip. The names that a caller sees: commit_batch, settle_lane.
-- Advisory locks, all of class 1148338802 ("DrBr"): 1 migrations, 2 the lease, 3 what belongs to no session.

CREATE TYPE write AS (
  op text,
  session_id text,
  event_id text,
  type text,
  at bigint,
  message_id text,
  payload text,
  -- Event id, type, time and message id as the hash covers them.
  hashed text,
  client_message_id text,
  identity_hash text,
  device_id text,
  content text,
  expires_at bigint,
  more jsonb
);
CREATE TYPE batched AS (term bigint, writes write[]);

CREATE FUNCTION message_refusal(session_ text, message_ text, reason_ text) RETURNS jsonb LANGUAGE sql AS $$
  SELECT coalesce(
    (SELECT jsonb_build_object('reason', reason_, 'message', to_jsonb(m)) FROM messages m
      WHERE session_id = session_ AND client_message_id = message_),
    '{"reason": "message_unknown"}')
$$;

-- What is neither a new event nor a new send. NULL, a result, or why it is refused (then nothing was changed).
CREATE FUNCTION apply_write(w write) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  m jsonb := w.more;
  zero bytea := decode(repeat('00', 32), 'hex');
  found_session sessions;
  found_prompt prompts;
  found_task tasks;
  answer jsonb;
  counted bigint;
  last_hash bytea;
BEGIN
  CASE w.op
  WHEN 'create_session' THEN
    INSERT INTO sessions (session_id, proxy_device_id, metadata, created_at, head_hash, base_hash)
      VALUES (w.session_id, m->>'proxy_device_id', m->>'metadata', w.at, zero, zero)
      ON CONFLICT (session_id) DO NOTHING;
    IF FOUND THEN RETURN NULL; END IF;
    SELECT * INTO found_session FROM sessions WHERE session_id = w.session_id;
    RETURN jsonb_build_object('reason', 'session_exists', 'session', to_jsonb(found_session));
  WHEN 'update_session' THEN
    UPDATE sessions SET
      metadata = CASE WHEN m ? 'metadata' THEN m->>'metadata' ELSE metadata END,
      config = CASE WHEN m ? 'config' THEN m->>'config' ELSE config END,
      closed_at = CASE WHEN m ? 'closed_at' THEN (m->>'closed_at')::bigint ELSE closed_at END
      WHERE session_id = w.session_id;
    RETURN NULL;
  WHEN 'forward_message' THEN
    UPDATE messages SET attempt = attempt + 1
      WHERE session_id = w.session_id AND client_message_id = w.client_message_id AND state = 'accepted'
      RETURNING attempt INTO counted;
    IF FOUND THEN RETURN jsonb_build_object('attempt', counted); END IF;
    RETURN message_refusal(w.session_id, w.client_message_id, 'message_changed');
  WHEN 'edit_message' THEN
    UPDATE messages SET payload = m->>'payload'
      WHERE session_id = w.session_id AND client_message_id = w.client_message_id AND state = 'accepted' AND attempt = 0;
    IF FOUND THEN RETURN NULL; END IF;
    RETURN message_refusal(w.session_id, w.client_message_id, 'message_changed');
  WHEN 'settle_message' THEN
    UPDATE messages SET state = m->>'state', settled_at = w.at, error = m->>'error'
      WHERE session_id = w.session_id AND client_message_id = w.client_message_id AND state = 'accepted'
        AND (m->>'attempt' IS NULL OR attempt = (m->>'attempt')::bigint);
    IF FOUND THEN RETURN NULL; END IF;
    RETURN message_refusal(w.session_id, w.client_message_id, 'message_changed');
  WHEN 'forget_message' THEN
    UPDATE messages SET payload = '{}'
      WHERE session_id = w.session_id AND client_message_id = w.client_message_id AND state <> 'accepted';
    RETURN NULL;
  WHEN 'open_prompt' THEN
    SELECT * INTO found_prompt FROM prompts
      WHERE session_id = w.session_id AND prompt_id = m->>'prompt_id' ORDER BY prompt DESC LIMIT 1;
    IF FOUND AND found_prompt.state IN ('open', 'answering') THEN
      RETURN jsonb_build_object('reason', 'prompt_open', 'prompt', to_jsonb(found_prompt));
    END IF;
    INSERT INTO prompts (session_id, prompt_id, body, state, opened_at, expires_at)
      VALUES (w.session_id, m->>'prompt_id', m->>'body', 'open', w.at, w.expires_at);
    RETURN NULL;
  WHEN 'move_prompt' THEN
    SELECT * INTO found_prompt FROM prompts
      WHERE session_id = w.session_id AND prompt_id = m->>'prompt_id' ORDER BY prompt DESC LIMIT 1;
    IF NOT FOUND THEN RETURN '{"reason": "prompt_unknown"}'; END IF;
    IF NOT m->'from' ? found_prompt.state THEN
      RETURN jsonb_build_object('reason', 'prompt_changed', 'prompt', to_jsonb(found_prompt));
    END IF;
    UPDATE prompts SET state = m->>'to',
      settled_at = CASE WHEN m->>'to' IN ('open', 'answering') THEN NULL ELSE w.at END,
      answer = CASE WHEN m ? 'answer' THEN m->>'answer' ELSE prompts.answer END
      WHERE prompt = found_prompt.prompt;
    RETURN NULL;
  WHEN 'forget_prompts' THEN
    DELETE FROM prompts WHERE session_id = w.session_id AND state NOT IN ('open', 'answering')
      AND settled_at < (m->>'settled_before')::bigint;
    RETURN NULL;
  WHEN 'open_launch' THEN
    SELECT jsonb_build_object('reason', 'launch_pending', 'launch', to_jsonb(l)) INTO answer
      FROM launches l WHERE state = 'pending' AND request_id = m->>'request_id';
    IF FOUND THEN RETURN answer; END IF;
    INSERT INTO launches (request_id, device_id, client_id, proxy_device_id, body, state, launched_at, timeout_at)
      VALUES (m->>'request_id', w.device_id, m->>'client_id', m->>'proxy_device_id', m->>'body', 'pending', w.at,
        (m->>'timeout_at')::bigint);
    RETURN NULL;
  WHEN 'settle_launch' THEN
    UPDATE launches SET state = m->>'state', settled_at = w.at, outcome = m->>'outcome'
      WHERE state = 'pending' AND request_id = m->>'request_id';
    IF FOUND THEN RETURN NULL; END IF;
    RETURN '{"reason": "launch_unknown"}';
  WHEN 'tell_launch' THEN
    UPDATE launches SET told = 1
      WHERE state <> 'pending' AND told = 0 AND device_id = w.device_id AND request_id = m->>'request_id';
    IF FOUND THEN RETURN NULL; END IF;
    RETURN '{"reason": "launch_unknown"}';
  WHEN 'put_device' THEN
    PERFORM 1 FROM devices WHERE token_hash = m->>'token_hash' AND device_id <> m->>'device_id';
    IF FOUND THEN RETURN '{"reason": "token_taken"}'; END IF;
    DELETE FROM devices WHERE device_id = m->>'device_id';
    INSERT INTO devices SELECT * FROM jsonb_populate_record(NULL::devices, m);
    RETURN NULL;
  WHEN 'update_device' THEN
    UPDATE devices SET label = coalesce(m->>'label', label),
      last_seen_at = coalesce((m->>'last_seen_at')::bigint, last_seen_at)
      WHERE device_id = w.device_id;
    IF FOUND THEN RETURN NULL; END IF;
    RETURN '{"reason": "device_unknown"}';
  WHEN 'revoke_device' THEN
    IF m->>'unless_last' IS NOT NULL THEN
      PERFORM 1 FROM devices WHERE revoked_at IS NULL AND roles::jsonb ? (m->>'unless_last')
        HAVING count(*) = 1 AND min(device_id) = w.device_id;
      IF FOUND THEN RETURN '{"reason": "device_last"}'; END IF;
    END IF;
    UPDATE devices SET revoked_at = coalesce(revoked_at, w.at) WHERE device_id = w.device_id;
    IF FOUND THEN RETURN NULL; END IF;
    RETURN '{"reason": "device_unknown"}';
  WHEN 'put_file' THEN
    PERFORM 1 FROM files WHERE file_id = m->>'file_id';
    IF FOUND THEN RETURN '{"reason": "file_exists"}'; END IF;
    PERFORM 1 FROM sessions WHERE session_id = w.session_id;
    IF NOT FOUND AND w.session_id IS NOT NULL THEN
      RETURN jsonb_build_object('reason', 'session_unknown', 'session_id', w.session_id);
    END IF;
    INSERT INTO files SELECT * FROM jsonb_populate_record(NULL::files, m);
    RETURN NULL;
  WHEN 'delete_file' THEN
    DELETE FROM files WHERE file_id = m->>'file_id';
    RETURN NULL;
  WHEN 'audit' THEN
    INSERT INTO audit (at, device_id, action, subject, detail)
      VALUES (w.at, m->>'device_id', m->>'action', m->>'subject', m->>'detail');
    RETURN NULL;
  WHEN 'put_setting' THEN
    IF m->>'value' IS NULL THEN
      DELETE FROM settings WHERE key = m->>'key';
    ELSE
      INSERT INTO settings VALUES (m->>'key', m->>'value')
        ON CONFLICT (key) DO UPDATE SET value = excluded.value;
    END IF;
    RETURN NULL;
  WHEN 'put_task' THEN
    SELECT * INTO found_task FROM tasks WHERE task_id = m->>'task_id';
    IF coalesce(found_task.revision, 0) <> (m->>'if_revision')::bigint THEN
      RETURN jsonb_build_object('reason', 'task_changed',
        'task', CASE WHEN found_task.task_id IS NOT NULL THEN to_jsonb(found_task) END);
    END IF;
    counted := (m->>'if_revision')::bigint + 1;
    INSERT INTO tasks
      (task_id, session_id, device_id, state, priority, body, revision, created_at, updated_at, settled_at)
      VALUES (m->>'task_id', w.session_id, m->>'device_id', m->>'state', (m->>'priority')::bigint, m->>'body', counted,
        (m->>'created_at')::bigint, (m->>'updated_at')::bigint, (m->>'settled_at')::bigint)
      ON CONFLICT (task_id) DO UPDATE SET
        session_id = excluded.session_id, device_id = excluded.device_id, state = excluded.state,
        priority = excluded.priority, body = excluded.body, revision = excluded.revision,
        created_at = excluded.created_at, updated_at = excluded.updated_at, settled_at = excluded.settled_at;
    RETURN jsonb_build_object('revision', counted);
  WHEN 'put_tab_session' THEN
    DELETE FROM tab_sessions WHERE session_id = w.session_id;
    INSERT INTO tab_sessions SELECT * FROM jsonb_populate_record(NULL::tab_sessions, m);
    RETURN NULL;
  WHEN 'prune_events' THEN
    SELECT * INTO found_session FROM sessions WHERE session_id = w.session_id;
    counted := least((m->>'through')::bigint, found_session.head, found_session.oldest + (m->>'limit')::bigint - 1);
    IF counted < found_session.oldest THEN RETURN '{"removed": 0}'; END IF;
    SELECT hash INTO last_hash FROM events WHERE session_id = w.session_id AND sequence = counted;
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'DB004',
        MESSAGE = format('event %s of session %s is missing', counted, w.session_id);
    END IF;
    DELETE FROM events WHERE session_id = w.session_id AND sequence <= counted;
    UPDATE sessions SET oldest = counted + 1, base_hash = last_hash WHERE session_id = w.session_id;
    RETURN jsonb_build_object('removed', counted + 1 - found_session.oldest);
  WHEN 'drop_session' THEN
    DELETE FROM events WHERE session_id = w.session_id;
    DELETE FROM messages WHERE session_id = w.session_id;
    DELETE FROM prompts WHERE session_id = w.session_id;
    DELETE FROM files WHERE session_id = w.session_id;
    DELETE FROM tasks WHERE session_id = w.session_id;
    DELETE FROM tab_sessions WHERE session_id = w.session_id;
    DELETE FROM sessions WHERE session_id = w.session_id;
    RETURN NULL;
  END CASE;
END
$$;

-- Each transaction's outcome, as JSON. One whose first write is refused has changed nothing; one that is refused later
-- raises DB002 with its outcome as the detail, and has to be undone alone. The ends of the chains are kept in arrays,
-- read (and locked, in order) once and stored once, however many events are appended.
CREATE FUNCTION apply_batch(transactions jsonb, ids text[], current_term bigint, OUT outcomes text[], OUT wrote boolean)
LANGUAGE plpgsql AS $$
DECLARE
  heads bigint[];
  stored bigint[];
  hashes text[];
  quoted text[];
  t batched;
  w write;
  s integer;
  place integer;
  next_sequence bigint;
  next_hash text;
  results text;
  answer jsonb;
  refusal jsonb;
BEGIN
  outcomes := '{}';
  wrote := false;
  SELECT array_agg(c.head ORDER BY o), array_agg(encode(c.head_hash, 'hex') ORDER BY o),
      array_agg(to_json(id)::text ORDER BY o)
    INTO heads, hashes, quoted
    FROM unnest(ids) WITH ORDINALITY AS asked (id, o)
    LEFT JOIN (
      SELECT session_id, head, head_hash FROM sessions WHERE session_id = ANY (ids)
      ORDER BY session_id FOR NO KEY UPDATE
    ) c ON c.session_id = id;
  stored := heads;

  FOR t IN SELECT * FROM jsonb_populate_recordset(NULL::batched, transactions) LOOP
    IF t.term <> current_term THEN
      outcomes := outcomes || '{"fenced":true}'::text;
      CONTINUE;
    END IF;
    place := 0;
    results := '';
    refusal := NULL;
    FOREACH w IN ARRAY t.writes LOOP
      s := array_position(ids, w.session_id);
      IF s IS NOT NULL AND heads[s] IS NULL AND w.op NOT IN ('create_session', 'forget_message', 'put_file') THEN
        refusal := jsonb_build_object('reason', 'session_unknown', 'session_id', w.session_id);
        EXIT;
      END IF;
      IF w.payload IS NOT NULL THEN
        next_sequence := heads[s] + 1;
        IF w.client_message_id IS NOT NULL THEN
          INSERT INTO messages (session_id, client_message_id, identity_hash, device_id, payload, state, accepted_at,
              event_id, sequence, expires_at)
            VALUES (w.session_id, w.client_message_id, w.identity_hash, w.device_id, w.content, 'accepted', w.at,
              w.event_id, next_sequence, w.expires_at)
            ON CONFLICT (session_id, client_message_id) DO NOTHING;
          IF NOT FOUND THEN
            SELECT jsonb_build_object(
                'reason', CASE WHEN m.identity_hash = w.identity_hash THEN 'message_repeated' ELSE 'message_conflict' END,
                'message', to_jsonb(m)) INTO refusal
              FROM messages m WHERE session_id = w.session_id AND client_message_id = w.client_message_id;
            EXIT;
          END IF;
        END IF;
        next_hash := encode(sha256(convert_to('["' || hashes[s] || '",' || quoted[s] || ',' || next_sequence || ','
          || w.hashed || ',' || to_json(w.payload)::text || ']', 'UTF8')), 'hex');
        INSERT INTO events (session_id, sequence, event_id, type, at, message_id, payload, prev_hash, hash)
          VALUES (w.session_id, next_sequence, w.event_id, w.type, w.at, w.message_id, w.payload,
            decode(hashes[s], 'hex'), decode(next_hash, 'hex'));
        heads[s] := next_sequence;
        hashes[s] := next_hash;
        results := results || ',[' || next_sequence || ',"' || next_hash || '"]';
      ELSE
        IF heads[s] <> stored[s] THEN
          UPDATE sessions SET head = heads[s], head_hash = decode(hashes[s], 'hex') WHERE session_id = w.session_id;
          stored[s] := heads[s];
        END IF;
        answer := apply_write(w);
        IF answer ? 'reason' THEN
          refusal := answer;
          EXIT;
        END IF;
        IF w.op IN ('create_session', 'drop_session') THEN
          heads[s] := CASE w.op WHEN 'create_session' THEN 0 END;
          stored[s] := heads[s];
          hashes[s] := repeat('0', 64);
        END IF;
        results := results || ',' || coalesce(answer::text, 'null');
      END IF;
      place := place + 1;
    END LOOP;
    IF refusal IS NULL THEN
      outcomes := outcomes || ('{"results":[' || substr(results, 2) || ']}');
      wrote := true;
    ELSE
      results := jsonb_build_object('at', place, 'refusal', refusal)::text;
      IF place > 0 THEN
        RAISE EXCEPTION USING ERRCODE = 'DB002', MESSAGE = 'a transaction is refused after its first write', DETAIL = results;
      END IF;
      outcomes := outcomes || results;
    END IF;
  END LOOP;

  UPDATE sessions SET head = moved.head, head_hash = decode(moved.hash, 'hex')
    FROM unnest(ids, heads, stored, hashes) AS moved (id, head, stored, hash)
    WHERE session_id = moved.id AND moved.head <> moved.stored;
END
$$;

-- Applies a batch of a lane and returns the outcomes as a JSON array. A lane's batches are numbered; one whose number was
-- settled meanwhile (settle_lane) is refused as a whole, however late it arrives.
CREATE FUNCTION commit_batch(lane_ uuid, number_ bigint, batch_ text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  batch jsonb := batch_;
  ids text[] := ARRAY(SELECT jsonb_array_elements_text(batch->'sessions'));
  current_term bigint;
  applied record;
  one jsonb;
  all_outcomes text[] := '{}';
  any_wrote boolean := false;
  detail text;
  answer text;
BEGIN
  IF current_setting('synchronous_commit') NOT IN ('on', 'remote_apply') OR current_setting('fsync') <> 'on'
    OR current_setting('full_page_writes') <> 'on' THEN
    RAISE EXCEPTION USING ERRCODE = 'DB003', MESSAGE = 'synchronous_commit, fsync or full_page_writes is off';
  END IF;
  -- A new term begins only when no commit of an older one is under way (hold_lease takes this lock alone).
  IF (batch->>'fenced')::boolean THEN
    PERFORM pg_advisory_xact_lock_shared(1148338802, 2);
    SELECT term INTO current_term FROM lease;
  END IF;
  IF (batch->>'house')::boolean THEN
    PERFORM pg_advisory_xact_lock(1148338802, 3);
  END IF;
  BEGIN
    SELECT * INTO applied FROM apply_batch(batch->'transactions', ids, current_term);
    all_outcomes := applied.outcomes;
    any_wrote := applied.wrote;
  EXCEPTION WHEN SQLSTATE 'DB002' THEN
    -- What was locked is free again by now, so it is locked again, in order.
    PERFORM 1 FROM sessions WHERE session_id = ANY (ids) ORDER BY session_id FOR NO KEY UPDATE;
    FOR one IN SELECT jsonb_array_elements(batch->'transactions') LOOP
      BEGIN
        SELECT * INTO applied FROM apply_batch(
          jsonb_build_array(one),
          ARRAY(SELECT DISTINCT w->>'session_id' FROM jsonb_array_elements(one->'writes') w WHERE w ? 'session_id'),
          current_term);
        all_outcomes := all_outcomes || applied.outcomes;
        any_wrote := any_wrote OR applied.wrote;
      EXCEPTION WHEN SQLSTATE 'DB002' THEN
        GET STACKED DIAGNOSTICS detail = PG_EXCEPTION_DETAIL;
        all_outcomes := all_outcomes || detail;
      END;
    END LOOP;
  END;
  answer := '[' || array_to_string(all_outcomes, ',') || ']';
  IF any_wrote THEN
    INSERT INTO lanes (lane, batch, outcome) VALUES (lane_, number_, answer)
      ON CONFLICT (lane) DO UPDATE SET batch = excluded.batch, outcome = excluded.outcome, at = excluded.at
      WHERE lanes.batch < excluded.batch;
    IF NOT FOUND THEN
      RAISE EXCEPTION USING ERRCODE = 'DB001', MESSAGE = 'this batch was settled as not committed';
    END IF;
  END IF;
  RETURN answer;
END
$$;

-- What became of a batch: its outcomes, or NULL when it was not committed, and by now never will be.
CREATE FUNCTION settle_lane(lane_ uuid, number_ bigint) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  answer text;
BEGIN
  INSERT INTO lanes (lane, batch) VALUES (lane_, number_)
    ON CONFLICT (lane) DO UPDATE SET batch = excluded.batch, outcome = NULL, at = excluded.at
    WHERE lanes.batch < excluded.batch;
  SELECT outcome INTO answer FROM lanes WHERE lane = lane_ AND batch = number_;
  RETURN answer;
END
$$;
