import type { Translation } from '../translation.ts'

export const drafts = {
  title: 'Draft',
  lead: 'No recipient can read a draft: it gets a link when you share it. Anyone who controls the server can read what passes through it.',
  share: 'Share',
  shareHint: 'Saves the draft and makes its link.',
  hidden:
    'This draft has a password. Its text stays hidden until you enter it; you can change everything else and share it without the password.',
  /** The text after too many wrong passwords. */
  disabled:
    'Wrong passwords were entered for this draft a hundred times. Its text can no longer be shown or shared. Enter the text again, with a password, or delete the draft.',
  showNote: 'Show text',
  passwordAgain: 'Enter the password again to save the text, or remove it.',
  /** Somebody changed it elsewhere. */
  changed:
    'This draft was changed in another window after you opened it here. Nothing was saved yet: what you typed is still below, and saving it now replaces the other changes.',
  /** The draft was deleted or shared elsewhere. */
  gone: 'This draft was deleted or shared in another window. What you typed is still below: you can save it as a new draft or share it.',
  removePassword: 'Remove the password',
  delete: 'Delete draft',
  deleteHeading: 'Delete this draft?',
  deleteLead: 'Its contents are deleted immediately. This cannot be undone.',
  list: {
    heading: 'Drafts',
    none: {
      heading: 'No drafts here',
      lead: 'To write one, choose “Keep as draft” on the page of a new secret.',
    },
    more: 'More drafts',
  },
  done: {
    draftSaved: 'The draft is saved.',
    /** The draft was to be shared, but only its changes are saved. */
    draftNotShared: 'The draft is saved, but it could not be shared. Please try again.',
    draftDeleted: 'The draft is deleted.',
  },
} as const

/** The texts in one language. Plain text without markup. */
export type DraftsTexts = Translation<typeof drafts>
