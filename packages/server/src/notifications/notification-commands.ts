import { type Delivery } from '@sotto/core'
import { toWireDelivery, toWireRetried, toWireTestOutcome, type TestOutcome } from '@sotto/wire'
import type { Command } from 'commander'
import { err, ok, type Result } from 'neverthrow'
import { addAccountCommand, addCommand, storeCommand, type AccountContext, type Cli } from '../cli/command.ts'
import { errorText } from '../errors/error-text.ts'
import type { CliError } from '../errors/errors.ts'
import { timeCell, widths, type ListLayout } from '../cli/output.ts'

/** `sotto notification …` */
export function addNotificationCommands(program: Command, cli: Cli): void {
  const notification = program
    .command('notification')
    .description('notifications: the mails and webhook messages that tell owners of their secrets')
  addList(notification, cli)
  addRetry(notification, cli)
  addTest(notification, cli)
}

function addList(notification: Command, cli: Cli): void {
  addCommand(notification, 'list', {
    description:
      'Lists the notifications that are not delivered yet, and those that were given up, by the time of what they report. Those that ' +
      'were given up are erased after 30 days.',
    examples: '$ sotto notification list --dead',
  })
    .option('--dead', 'only those that were given up')
    .action(
      storeCommand<{ dead?: true }>(cli, ({ sotto, output }, { dead }) =>
        output.list(sotto.listDeliveries({ dead }), layout),
      ),
    )
}

function addRetry(notification: Command, cli: Cli): void {
  addCommand(notification, 'retry <id>', {
    description:
      'Makes a notification due immediately, with all its attempts before it, also one that was given up. A running server sends it within ' +
      '5 seconds. For its id see: sotto notification list',
    examples: '$ sotto notification retry 019a2b3c-4d5e-7f60-8a1b-2c3d4e5f6071',
  }).action(
    storeCommand(cli, async ({ sotto, output }, _options, id = '') => {
      const retried = await sotto.retryDelivery({ id })
      if (retried.isErr()) return err(retried.error)
      const deliveryId = id.toLowerCase()
      return output.answer({ text: `${deliveryId} is due now`, json: toWireRetried(deliveryId) })
    }),
  )
}

function addTest(notification: Command, cli: Cli): void {
  addAccountCommand(notification, 'test', {
    description:
      'Sends a test message to the email of an account and to each of its webhooks, immediately and only once, and prints a line for each. Exit ' +
      'code 1 when one was not delivered. Success enables a webhook that was disabled.',
    examples: '$ sotto notification test --account ann@example.org',
    cli,
    work: test,
  })
}

async function test(context: AccountContext): Promise<Result<void, CliError>> {
  const { sotto, output, accountId, stderr } = context
  const listed = await sotto.listWebhooks({ accountId })
  if (listed.isErr()) return err(listed.error)
  const outcomes = await Promise.all([
    testMail(context),
    ...listed.value.items.map(({ id }) => testWebhook(context, id)),
  ])
  listed.value.corrupted.forEach((corruption) =>
    stderr.write(`sotto: ${errorText(corruption)} and is left out\n`),
  )
  const answered = await output.answer({
    text: outcomes.map(lineOf).join('\n'),
    json: outcomes.map(toWireTestOutcome),
  })
  if (answered.isErr()) return answered
  const targets = outcomes.filter(({ ok: isOk }) => isOk === false).length
  const isNone = outcomes.every(({ ok: isOk }) => isOk === undefined)
  return targets > 0 || isNone ? err({ code: 'tests_failed', targets }) : ok()
}

async function testMail({ sotto, accountId }: AccountContext): Promise<TestOutcome> {
  const sent = await sotto.testMail({ accountId, byOperator: true })
  if (sent.isOk()) return { kind: 'mail', ok: true }
  return sent.error.code === 'mail_unavailable'
    ? { kind: 'mail', ok: undefined, reason: 'no mail server is set, or the account has no email' }
    : { kind: 'mail', ok: false, reason: reasonOf(sent.error) }
}

async function testWebhook({ sotto, accountId }: AccountContext, id: string): Promise<TestOutcome> {
  const sent = await sotto.testWebhook({ accountId, id, byOperator: true })
  const target = { kind: 'webhook', webhookId: id } as const
  return sent.isOk() ? { ...target, ok: true } : { ...target, ok: false, reason: reasonOf(sent.error) }
}

function reasonOf(error: CliError): string {
  return error.code === 'send_failed' ? error.reason : errorText(error)
}

function lineOf({ kind, webhookId, ok: isOk, reason = '' }: TestOutcome): string {
  const target = webhookId === undefined ? kind : `${kind} ${webhookId}`
  if (isOk === undefined) return `– ${target}: not sent: ${reason}`
  return isOk ? `✓ ${target}: delivered` : `✗ ${target}: not delivered: ${reason}`
}

const layout: ListLayout<Delivery> = {
  columns: [
    { title: 'ID', width: widths.id, text: ({ id }) => id },
    { title: 'KIND', width: 7, text: ({ target }) => target.kind },
    { title: 'DUE', width: widths.time, text: dueCell },
    { title: 'ATTEMPTS', width: 8, text: ({ attempts }) => String(attempts) },
    { title: 'LAST FAILURE', text: ({ lastFailure }) => lastFailure ?? '' },
  ],
  json: toWireDelivery,
}

function dueCell({ deadAtMicros, dueAtMicros }: Delivery): string {
  return deadAtMicros === undefined ? timeCell(dueAtMicros) : 'given up'
}
