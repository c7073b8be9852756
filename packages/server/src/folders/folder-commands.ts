import type { FolderWithCounts } from '@sotto/core'
import { toWireDeleted, toWireFolder, toWireRenamed } from '@sotto/wire'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { addAccountCommand, labelRule, type Cli } from '../cli/command.ts'
import { timeCell, widths, type ListLayout } from '../cli/output.ts'

/** `sotto folder …` */
export function addFolderCommands(program: Command, cli: Cli): void {
  const folder = program.command('folder').description('folders: what secrets and drafts are sorted into')
  addCreate(folder, cli)
  addList(folder, cli)
  addRename(folder, cli)
  addDelete(folder, cli)
}

function addCreate(folder: Command, cli: Cli): void {
  addAccountCommand<{ label: string }>(folder, 'create', {
    description: 'Adds a folder to an account and prints its id.',
    examples: '$ sotto folder create --account ann@example.org --label "Door codes"',
    cli,
    work: async ({ sotto, output, accountId }, { label }) => {
      const created = await sotto.createFolder({ accountId, label })
      if (created.isErr()) return err(created.error)
      const json = toWireFolder({ ...created.value, draftsCount: 0, secretsCount: 0 })
      return output.answer({ text: created.value.id, json })
    },
  }).requiredOption('--label <title>', `the title: ${labelRule}`)
}

function addList(folder: Command, cli: Cli): void {
  addAccountCommand(folder, 'list', {
    description: 'Lists the folders of an account, oldest first.',
    examples: '$ sotto folder list --account ann@example.org',
    cli,
    work: ({ sotto, output, accountId }) => output.list(sotto.listFolders({ accountId }), layout),
  })
}

function addRename(folder: Command, cli: Cli): void {
  addAccountCommand<{ label: string }>(folder, 'rename <id>', {
    description: 'Gives a folder another title. For its id see: sotto folder list',
    examples:
      '$ sotto folder rename --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071 --label "Cellar"',
    cli,
    work: async ({ sotto, output, accountId }, { label }, id = '') => {
      const renamed = await sotto.renameFolder({ accountId, id, label })
      if (renamed.isErr()) return err(renamed.error)
      const folderId = id.toLowerCase()
      return output.answer({ text: `${folderId} is renamed`, json: toWireRenamed(folderId, label) })
    },
  }).requiredOption('--label <title>', `the new title: ${labelRule}`)
}

function addDelete(folder: Command, cli: Cli): void {
  addAccountCommand(folder, 'delete <id>', {
    description: 'Erases a folder that holds no drafts and no secrets.',
    examples: '$ sotto folder delete --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: async ({ sotto, output, accountId }, _options, id = '') => {
      const deleted = await sotto.deleteFolder({ accountId, id })
      if (deleted.isErr()) return err(deleted.error)
      const folderId = id.toLowerCase()
      return output.answer({ text: `${folderId} is deleted`, json: toWireDeleted(folderId) })
    },
  })
}

const layout: ListLayout<FolderWithCounts> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'CREATED', width: widths.time, text: (folder) => timeCell(folder.createdAtMicros) },
    { title: 'DRAFTS', width: 6, text: ({ draftsCount }) => String(draftsCount) },
    { title: 'SECRETS', width: 7, text: ({ secretsCount }) => String(secretsCount) },
    { title: 'TITLE', text: ({ label }) => label },
  ],
  json: toWireFolder,
}
