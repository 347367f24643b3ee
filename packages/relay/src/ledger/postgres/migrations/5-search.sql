-- The words of a transcript's message, in lower case. Never raises, because that would refuse the commit: a text with NUL or half a
-- surrogate pair is not found. Long words are left out: a lexeme has at most 2 kB, a tsvector 1 MB.
CREATE FUNCTION search_words(payload text) RETURNS tsvector LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN (
    SELECT coalesce(array_to_tsvector(array_agg(DISTINCT word)), ''::tsvector)
    FROM regexp_split_to_table(lower(left(payload::jsonb #>> '{message,content}', 100000)), '[^[:alnum:]]+') AS word
    WHERE word <> '' AND length(word) <= 64
  );
EXCEPTION WHEN OTHERS THEN
  RETURN ''::tsvector;
END $$;
CREATE INDEX events_search ON events USING gin (search_words(payload)) WHERE message_id IS NOT NULL;
