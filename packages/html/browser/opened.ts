import { readNote } from './read-note.ts'

// The page of an opened sealed secret without files.

void readNote(0)
