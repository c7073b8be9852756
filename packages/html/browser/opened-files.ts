import { readNote } from './read-note.ts'
import { showFile } from './sealed-files.ts'

// The page of an opened sealed secret with files: shows them as they were, and decrypts those that are saved.

const rows = [...document.querySelectorAll('.files li')]
void readNote(rows.length).then((files) => {
  for (const [at, file] of files?.entries() ?? []) {
    const row = rows[at]
    if (row) showFile(file, row)
  }
})
