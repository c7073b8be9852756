import type { Translation } from '../translation.ts'

export const folders = {
  newFolder: 'New folder',
  /** The button of its form, below that heading. */
  create: 'Create',
  labelHint: 'Recipients do not see it.',
  /** Opens the forms that do it. */
  manage: 'Rename or delete',
  rename: 'Rename',
  delete: 'Delete folder',
  deleteHeading: 'Delete this folder?',
  deleteEmpty: 'The folder is empty. This cannot be undone.',
  /** Names what it contains. */
  deleteFull: 'Deleted with it: {contents}. Links stop working immediately. This cannot be undone.',
  secrets: { one: '{count} secret', other: '{count} secrets' },
  drafts: { one: '{count} draft', other: '{count} drafts' },
  /** The text after the question was answered. */
  added: 'Something was added to the folder after you were asked. Here is what it contains now.',
  dashboard: {
    heading: 'Secrets',
    folders: 'Folders',
    allFolders: 'All folders',
    /** Names the choice of a status. */
    show: 'Show',
    statuses: { all: 'All', waiting: 'Waiting', opened: 'Opened', finished: 'Finished' },
    /** No secret has the chosen status. */
    noneOfStatus: { heading: 'Nothing of this kind', lead: 'Other secrets are under “All”.' },
    older: 'Older secrets',
    newest: 'Newest secrets',
    noFolders: {
      heading: 'Begin with a folder',
      lead: 'Folders keep your secrets apart, for example one for each customer or project.',
    },
    noSecrets: {
      heading: 'No secrets here yet',
      lead: 'Write a text, get a link, and send the link to the person who should read it.',
      action: 'Write a secret',
    },
    /** Some rows cannot be read. */
    corrupted:
      'Some secrets cannot be shown because their data is corrupted. Ask the operator of this service.',
  },
  /** The search in the titles of all secrets and drafts. */
  search: {
    heading: 'Search',
    /** Names the box, and stands in it while it is empty. */
    field: 'Search all secrets',
    submit: 'Search',
    found: { one: '{count} found', other: '{count} found' },
    /** Not all titles were looked at. */
    stopped: {
      one: 'The search stopped after {count} title.',
      other: 'The search stopped after {count} titles.',
    },
    /** Goes on where it stopped. */
    more: 'Search on',
    nothing: {
      heading: 'Nothing found',
      lead: 'No title contains all of these words. Texts are not searched.',
    },
    busy: 'Another search of yours is still running, so nothing was searched. Please try again in a moment.',
  },
  /** Clearing several at once. */
  several: {
    deleteSelected: 'Delete selected',
    /** Asks before it deletes, with their titles below. */
    heading: 'Delete what you selected?',
    lead: 'Links stop working and the contents are deleted immediately. This cannot be undone.',
    tooMany: {
      heading: 'Too many are selected',
      lead: 'At most {limit} can be deleted at once. Nothing was deleted.',
    },
    /** The text after it was done. */
    deletedSecrets: { one: '{count} secret deleted.', other: '{count} secrets deleted.' },
    deletedDrafts: { one: '{count} draft deleted.', other: '{count} drafts deleted.' },
    removeFinished: 'Remove all finished ({count})',
    finishedHeading: 'Remove all finished secrets?',
    finishedLead: {
      one: '{count} secret leaves the list. Nobody can open it any more: its text is deleted already, and the rest is deleted now.',
      other:
        '{count} secrets leave the list. Nobody can open them any more: their texts are deleted already, and the rest is deleted now.',
    },
    remove: 'Remove',
    removed: { one: '{count} removed', other: '{count} removed' },
  },
  done: {
    /** The boxes were all empty. */
    noneSelected: 'Nothing is selected. Tick the boxes beside what you want to delete.',
    folderCreated: 'The folder is ready.',
    folderRenamed: 'The folder has its new title.',
    folderDeleted: 'The folder is deleted.',
  },
} as const

/** The texts in one language. Plain text without markup. */
export type FoldersTexts = Translation<typeof folders>
