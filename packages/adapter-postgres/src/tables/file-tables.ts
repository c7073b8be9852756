/** The statements that create the tables of the contents of files. */
export const fileTables: readonly string[] = [
  /*
   * Contents by id. `length`: in bytes; NULL unless all of it is written. `written_at`: when it was begun, and once it is whole, when it ended;
   * 0 from when on it is dropped.
   */
  `CREATE TABLE file_contents (
    id uuid PRIMARY KEY,
    length bigint CHECK (length >= 0),
    written_at bigint NOT NULL
  )`,
  /* The bytes of contents, in rows of one length but for the last of a content, numbered from 0 on. */
  `CREATE TABLE file_chunks (
    file_id uuid NOT NULL CONSTRAINT file_chunks_content_fkey REFERENCES file_contents (id) ON DELETE CASCADE,
    nr bigint NOT NULL,
    written_at bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (file_id, nr)
  )`,
]
