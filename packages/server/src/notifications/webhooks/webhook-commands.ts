import { toWireDeleted, toWireNewWebhook, toWireTestOutcome, toWireWebhook } from '@sotto/wire'
import { accountCommand, commandGroup, idCommand, listCommand } from '../../cli/account-command.ts'
import { onePage, timeCell, widths } from '../../cli/output.ts'

/** `sotto webhook …` */
export const addWebhookCommands = commandGroup(
  'webhook',
  'webhooks: addresses that hear of the secrets of an account',
  [
    accountCommand({
      usage: 'create',
      description:
        'Adds a webhook to an account, 5 at most, and prints its signing secret, with which the receiver verifies messages ' +
        '(Standard Webhooks). It is not shown again.',
      examples: '$ sotto webhook create --account ann@example.org --url https://example.org/hooks/sotto',
      options: (command) => command.requiredOption('--url <url>', 'where messages are posted to, with https'),
      run: ({ sotto, accountId }, _id, { url }: { readonly url: string }) =>
        sotto.createWebhook({ accountId, url }),
      answer: (webhook) => ({ text: webhook.secret, json: toWireNewWebhook(webhook) }),
    }),
    listCommand({
      usage: 'list',
      description:
        'Lists the webhooks of an account, oldest first. A webhook is disabled when its receiver answers 410 (gone) or has failed for ' +
        'three days (failing); a test that succeeds enables it again.',
      examples: '$ sotto webhook list --account ann@example.org',
      pages: ({ sotto, accountId }) => onePage(sotto.listWebhooks({ accountId })),
      columns: [
        { title: 'ID', width: widths.id, text: ({ id }) => id },
        {
          title: 'FAILING SINCE',
          width: widths.time,
          text: (webhook) => timeCell(webhook.failingSinceMicros),
        },
        { title: 'DISABLED', width: 8, text: ({ disabled }) => disabled?.reason ?? '' },
        { title: 'URL', text: ({ url }) => url },
      ],
      json: toWireWebhook,
    }),
    idCommand({
      usage: 'delete <id>',
      description: 'Deletes a webhook, with what waits for it. For its id see: sotto webhook list',
      examples: '$ sotto webhook delete --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
      run: ({ sotto, accountId }, id) => sotto.deleteWebhook({ accountId, id }),
      done: 'is deleted',
      json: toWireDeleted,
    }),
    idCommand({
      usage: 'test <id>',
      description:
        'Posts a test message to a webhook, immediately and only once. Success enables a webhook that was disabled. For its id see: sotto webhook list',
      examples: '$ sotto webhook test --account ann@example.org 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
      run: ({ sotto, accountId }, id) => sotto.testWebhook({ accountId, id, byOperator: true }),
      done: 'took the test message',
      json: (webhookId) => toWireTestOutcome({ kind: 'webhook', webhookId, ok: true }),
    }),
  ],
)
