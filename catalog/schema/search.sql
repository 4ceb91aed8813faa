-- One document for each event and each tag, of folded texts (persistence/shared/fold.ts). The
-- tables of texts find three characters or more, by trigrams; those of grams find one or two.

CREATE VIRTUAL TABLE event_texts USING fts5(title, names, markets,
  tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1);
CREATE VIRTUAL TABLE event_grams USING fts5(title, others,
  tokenize = 'ascii', detail = 'column', content = '', contentless_delete = 1);
CREATE VIRTUAL TABLE tag_texts USING fts5(label, slug,
  tokenize = 'trigram case_sensitive 1', content = '', contentless_delete = 1);
CREATE VIRTUAL TABLE tag_grams USING fts5(label, slug,
  tokenize = 'ascii', detail = 'column', content = '', contentless_delete = 1);
