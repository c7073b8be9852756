import type { Table } from '@sotto/storage-sql'
import { sqliteDialect } from '../engine/engine.ts'

/**
 * The ciphertexts of short texts: names, labels, hashes of passwords, endpoints of webhooks. The row that a text belongs to has its `nr`.
 *
 * A text is erased as the `ciphertexts` of a secret are, for the same reason. It is overwritten in place with zeros when its row is deleted
 * or gets another text. Rows are only ever added at the end; see `dead-rows.ts` for those that hold nothing but zeros.
 */
export const textsTable = `
  CREATE TABLE texts (
    nr INTEGER PRIMARY KEY,
    text BLOB NOT NULL
  ) STRICT;
  CREATE TRIGGER texts_stay_in_place BEFORE UPDATE ON texts WHEN length(new.text) <> length(old.text)
  BEGIN
    SELECT RAISE(ABORT, 'a ciphertext of another length would leave the old one behind');
  END`

/** The triggers that erase the text of a row that is deleted. */
export function erasingTriggers({ name, columns }: Table): readonly string[] {
  const texts = Object.entries(columns).filter(([, { type }]) => type === 'encrypted')
  return texts.map(
    ([column]) => `
  CREATE TRIGGER ${name}_text_erased AFTER DELETE ON ${name} BEGIN
    UPDATE texts SET text = zeroblob(length(text)) WHERE nr = old.${sqliteDialect.texts.column(column)};
  END`,
  )
}
