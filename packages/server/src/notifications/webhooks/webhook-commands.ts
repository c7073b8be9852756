import type { Webhook } from '@sotto/core'
import { toWireDeleted, toWireNewWebhook, toWireTestOutcome, toWireWebhook } from '@sotto/wire'
import type { Command } from 'commander'
import { err } from 'neverthrow'
import { addAccountCommand, type Cli } from '../../cli/command.ts'
import { onePage, timeCell, widths, type ListLayout } from '../../cli/output.ts'

/** `sotto webhook …` */
export function addWebhookCommands(program: Command, cli: Cli): void {
  const webhook = program
    .command('webhook')
    .description('webhooks: addresses that hear of the secrets of an account')
  addCreate(webhook, cli)
  addList(webhook, cli)
  addDelete(webhook, cli)
  addTest(webhook, cli)
}

function addCreate(webhook: Command, cli: Cli): void {
  addAccountCommand<{ url: string }>(webhook, 'create', {
    description:
      'Adds a webhook to an account, 5 at most, and prints its signing secret, with which the receiver verifies messages ' +
      '(Standard Webhooks). It is not shown again.',
    examples: '$ sotto webhook create --account ann@example.org --url https://example.org/hooks/sotto',
    cli,
    work: async ({ sotto, output, accountId }, { url }) => {
      const created = await sotto.createWebhook({ accountId, url })
      if (created.isErr()) return err(created.error)
      return output.answer({ text: created.value.secret, json: toWireNewWebhook(created.value) })
    },
  }).requiredOption('--url <url>', 'where messages are posted to, with https')
}

function addList(webhook: Command, cli: Cli): void {
  addAccountCommand(webhook, 'list', {
    description:
      'Lists the webhooks of an account, oldest first. A webhook is disabled when its receiver answers 410 (gone) or has failed for ' +
      'three days (failing); a test that succeeds enables it again.',
    examples: '$ sotto webhook list --account ann@example.org',
    cli,
    work: async ({ sotto, output, accountId }) => {
      const listed = await sotto.listWebhooks({ accountId })
      if (listed.isErr()) return err(listed.error)
      return output.list(onePage(listed.value.items, listed.value.corrupted), layout)
    },
  })
}

function addDelete(webhook: Command, cli: Cli): void {
  addAccountCommand(webhook, 'delete <id>', {
    description: 'Deletes a webhook, with what waits for it. For its id see: sotto webhook list',
    examples: '$ sotto webhook delete --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: async ({ sotto, output, accountId }, _options, id = '') => {
      const deleted = await sotto.deleteWebhook({ accountId, id })
      if (deleted.isErr()) return err(deleted.error)
      const webhookId = id.toLowerCase()
      return output.answer({ text: `${webhookId} is deleted`, json: toWireDeleted(webhookId) })
    },
  })
}

function addTest(webhook: Command, cli: Cli): void {
  addAccountCommand(webhook, 'test <id>', {
    description:
      'Posts a test message to a webhook, immediately and only once. Success enables a webhook that was disabled. For its id see: sotto webhook list',
    examples: '$ sotto webhook test --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
    cli,
    work: async ({ sotto, output, accountId }, _options, id = '') => {
      const tested = await sotto.testWebhook({ accountId, id, byOperator: true })
      if (tested.isErr()) return err(tested.error)
      const webhookId = id.toLowerCase()
      const json = toWireTestOutcome({ kind: 'webhook', webhookId, ok: true })
      return output.answer({ text: `${webhookId} took the test message`, json })
    },
  })
}

const layout: ListLayout<Webhook> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'FAILING SINCE', width: widths.time, text: (webhook) => timeCell(webhook.failingSinceMicros) },
    { title: 'DISABLED', width: 8, text: ({ disabled }) => disabled?.reason ?? '' },
    { title: 'URL', text: ({ url }) => url },
  ],
  json: toWireWebhook,
}
