-- One document an event and one a tag, of folded texts (persistence/shared/fold.ts). Trigrams find
-- texts of three characters or more; the grams list the one and two characters that occur.

CREATE VIRTUAL TABLE event_texts USING fts5(title, names, markets,
  tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1);
CREATE VIRTUAL TABLE event_grams USING fts5(title, others,
  tokenize = 'ascii', detail = 'column', content = '', contentless_delete = 1);
CREATE VIRTUAL TABLE tag_texts USING fts5(label, slug,
  tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1);
CREATE VIRTUAL TABLE tag_grams USING fts5(label, slug,
  tokenize = 'ascii', detail = 'column', content = '', contentless_delete = 1);
