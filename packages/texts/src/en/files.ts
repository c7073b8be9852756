import type { Translation } from '../translation.ts'

export const files = {
  heading: 'Files',
  /** The number of a secret's files, in a list. */
  counted: { one: '{count} file', other: '{count} files' },
  /** The paragraph on the help page, besides `deleted`. `{all}` is what all files of an account may have. */
  help: 'Files of any kind can go with a secret: at most {count}, of up to {each} each. All your files together can have {all}.',
  neverShown: 'No page shows what is in a file: recipients save it.',
  /** `{count}` files at most, `{each}` is the largest; `{left}` is what is left of all that the account may have. */
  limits: 'At most {count} files of up to {each} each. You have {left} left for files.',
  /** The hint where a script runs. */
  drop: 'You can also drop files anywhere on this page.',
  add: 'Add files',
  /** The link beside a file of a draft. */
  save: 'Save',
  /** The button beside a file. */
  remove: 'Remove',
  /** The fault of a form with neither. */
  textOrFile: 'Write a text, or add a file.',
  /** The sentence of the settings. Each is a size. */
  room: 'Your files take {used} of {all}: {left} are left.',
  shown: 'Recipients see names and sizes before they open the link',
  /** The text of a draft with a password. */
  hidden: 'To add or remove files, show the text first.',
  /** The text of a draft that cannot be read any more, after too many wrong passwords. */
  unreadable: 'The files of this draft cannot be read any more either. They are removed when you save it.',
  /** The text before anything is sent. `{limit}` is a size. */
  tooLargeNamed: '{name} is larger than {limit}.',
  tooLargeTogether: '{name} does not fit any more: you have {left} left.',
  /** `{name}` has U+FFFD in place of what a name must not have. */
  wrongName: '{name} has a character in its name that is not allowed, shown here as \uFFFD. Rename the file.',
  folder: '{name} is a folder. Pack it into one file first, such as a ZIP archive.',
  /** The texts for files that the server refuses. */
  tooLarge: 'A file is larger than {limit}.',
  full: 'With these files, all your files together would be larger than {limit}.',
  /** The disk of the server has no room for files; everything else works. */
  diskFull: 'There is no room for files on this server now. Without them you can send the text.',
  longName: 'The name of a file is too long.',
  broken: 'The files did not arrive completely.',
  /** What was typed is kept when a form is refused, files are not. */
  again: 'Choose the files again: no page sends them back.',
  /** The text while files are sent. */
  sending: 'Sending the files…',
  sent: '{sent} of {all}',
  /** The browser could not send this one. */
  unsendable: '{name} has changed since you chose it, or cannot be read. Remove it and choose it again.',
  /** The browser got no answer. */
  lost: 'The connection broke. Nothing that you entered is lost: please try again.',
  /** Something between browser and server refused them. */
  refusedOnTheWay: 'A server on the way does not take files as large as these.',
  /** The text on the page of a secret, and on the help page. */
  deleted: 'They are deleted with the text. Whoever opens the link can still save them for one hour.',
} as const

/** The texts about files on the owner’s pages, in one language. Plain text without markup. */
export type FilesTexts = Translation<typeof files>
