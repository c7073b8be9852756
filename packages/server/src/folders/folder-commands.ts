import { toWireDeleted, toWireFolder, toWireRenamed } from '@sotto/wire'
import { accountCommand, commandGroup, idCommand, listCommand } from '../cli/account-command.ts'
import { labelRule } from '../cli/command.ts'
import { timeCell, widths } from '../cli/output.ts'

interface LabelOption {
  readonly label: string
}

/** `sotto folder …` */
export const addFolderCommands = commandGroup('folder', 'folders: what secrets and drafts are sorted into', [
  accountCommand({
    usage: 'create',
    description: 'Adds a folder to an account and prints its id.',
    examples: '$ sotto folder create --account ann@example.org --label "Door codes"',
    options: (command) => command.requiredOption('--label <title>', `the title: ${labelRule}`),
    run: ({ sotto, accountId }, _id, { label }: LabelOption) => sotto.createFolder({ accountId, label }),
    answer: (folder) => ({
      text: folder.id,
      json: toWireFolder({ ...folder, draftsCount: 0, secretsCount: 0 }),
    }),
  }),
  listCommand({
    usage: 'list',
    description: 'Lists the folders of an account, oldest first.',
    examples: '$ sotto folder list --account ann@example.org',
    pages: ({ sotto, accountId }) => sotto.listFolders({ accountId }),
    columns: [
      { title: 'ID', width: widths.id, text: ({ id }) => id },
      { title: 'CREATED', width: widths.time, text: (folder) => timeCell(folder.createdAtMicros) },
      { title: 'DRAFTS', width: 6, text: ({ draftsCount }) => String(draftsCount) },
      { title: 'SECRETS', width: 7, text: ({ secretsCount }) => String(secretsCount) },
      { title: 'TITLE', text: ({ label }) => label },
    ],
    json: toWireFolder,
  }),
  accountCommand({
    usage: 'rename <id>',
    description: 'Gives a folder another title. For its id see: sotto folder list',
    examples:
      '$ sotto folder rename --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071 --label "Cellar"',
    options: (command) => command.requiredOption('--label <title>', `the new title: ${labelRule}`),
    run: ({ sotto, accountId }, id, { label }: LabelOption) => sotto.renameFolder({ accountId, id, label }),
    answer: (_renamed, id, { label }) => ({ text: `${id} is renamed`, json: toWireRenamed(id, label) }),
  }),
  idCommand({
    usage: 'delete <id>',
    description: 'Erases a folder that holds no drafts and no secrets.',
    examples: '$ sotto folder delete --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    run: ({ sotto, accountId }, id) => sotto.deleteFolder({ accountId, id }),
    done: 'is deleted',
    json: toWireDeleted,
  }),
])
