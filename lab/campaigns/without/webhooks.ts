import { countedKinds, countedNames } from './common.ts'
import type { Leaf } from './leaf.ts'

/** The capability of telling an owner's own servers. */
export const webhooks: Leaf = {
  word: 'webhooks',
  packages: ['adapter-webhook'],
  files: [],
  names: [
    ...[
      "'webhook.endpoint'",
      "'webhook'",
      'webhookId',
      'webhook_id',
      'SOTTO_WEBHOOK_ALLOW',
      'disabledWebhook',
      'failSending',
    ],
    ...["'not_a_url'", "'not_https'", "'address_not_allowed'"],
    ...['not_a_url', 'not_https', 'address_not_allowed'],
    ...['removedWebhookHosts', 'removesWebhooks'],
    ...['invitationWithoutWebhooks', 'invitationWithIdentityWithoutWebhooks'],
    "'nothing is leased of a kind that cannot be sent here, and of the other kind as ever'",
    "'/settings/notifications/webhooks'",
    "'/settings/notifications/webhooks/:id/test'",
    "'/settings/notifications/webhooks/:id/delete'",
    "'/settings/notifications?'",
    "'settings/notifications'",
    "'a delivery that is given up is reported, others are not'",
    "'what exceeds a quota is counted by its kind'",
    "'webhooks'",
    "'an export holds all that is the account’s, drafts’ notes included and secrets’ not'",
    // Cases of contracts that need targets of two kinds.
    "'delivery-store/lease-has-bounds'",
    "'delivery-store/one-of-parallel-callers-leases'",
    "'delivery-store/one-of-two-storages-leases'",
    "'outbox-store/joins-only-its-like'",
  ],
  leftOut: [countedNames],
  edits: [
    {
      file: 'packages/core/src/notifications/lease-deliveries.ts',
      from: "oneOf('mail', 'webhook')",
      to: "oneOf('mail')",
      why: 'A function takes these texts one by one.',
    },
    {
      file: 'packages/identity/src/invitations/new-invitation.ts',
      from: `  if (kind === 'invite' && !replacesPassword) return ok({ replacesPassword, removedWebhookHosts: [] })
  const hosts = await webhookHosts(deps, { accountId })
  return hosts.map((removedWebhookHosts) => ({ replacesPassword, removedWebhookHosts }))
`,
      to: '  return ok({ replacesPassword })\n',
      why: 'Whoever takes an invitation hears which webhooks it removes, before and after.',
    },
    {
      file: 'packages/dashboard-fastify/src/invitations/invitation-page.ts',
      from: "    ${hosts.length > 0 && banner('warning', markup`${texts.removesWebhooks}${hosts.map(hostLine)}`)}\n",
      to: '',
      why: 'Whoever takes an invitation hears which webhooks it removes, before and after.',
    },
    {
      file: 'packages/dashboard-fastify/src/invitations/routes.ts',
      from: `    const done = removedWebhookHosts.length > 0 ? 'invitationWithoutWebhooks' : 'invitation'
    return redirect(\`/dashboard?done=\${done}\`, cookie.store(token))`,
      to: "    return redirect('/dashboard?done=invitation', cookie.store(token))",
      why: 'Whoever takes an invitation hears which webhooks it removes, before and after.',
    },
    {
      file: 'packages/dashboard-fastify/src/single-sign-on/routes.ts',
      from: `  const hadWebhooks = removedWebhookHosts.length > 0
  const did = hadWebhooks ? 'invitationWithIdentityWithoutWebhooks' : 'invitationWithIdentity'
  return redirect(\`/dashboard?done=\${did}\`, cookie.store(token))`,
      to: "  return redirect('/dashboard?done=invitationWithIdentity', cookie.store(token))",
      why: 'Whoever takes an invitation hears which webhooks it removes, before and after.',
    },
    {
      file: 'packages/server/src/invitations/invitation-commands.ts',
      from: '    if (made.value.removedWebhookHosts.length > 0) stderr.write(removesWebhooksText(made.value))\n',
      to: '',
      why: 'Whoever takes an invitation hears which webhooks it removes, before and after.',
    },
    {
      file: 'packages/server/src/invitations/invitation-commands.ts',
      from: `/** The text about webhooks that are removed: whoever had the account may have added them. */
function removesWebhooksText({ removedWebhookHosts: hosts }: NewInvitation): string {
  return \`sotto: using the link removes the webhooks of this account, to \${hosts.map(printable).join(', ')}\\n\`
}
`,
      to: '',
      why: 'Whoever takes an invitation hears which webhooks it removes, before and after.',
    },
    {
      file: 'packages/server/src/installation/senders.ts',
      from: '  const webhookSender = createWebhookSender({ allow: webhookAllow, userAgent: `Sotto/${readVersion()}` })\n',
      to: '',
      why: 'A process makes its adapters one after the other.',
    },
    {
      file: 'packages/storage-sql/src/notifications/targets.ts',
      from: "(kind: Target['kind'], id: Uuid, accountId: Uuid)",
      to: "(kind: Target['kind'], _id: Uuid, accountId: Uuid)",
      why: 'A target is made of what its row has.',
    },
    {
      file: 'packages/test-kit/src/accounts/account-rows.ts',
      from: `  const webhook = make.webhook(id, { endpoint: under(make, kid) })
  expectOk(await store.webhooks.insert(webhook, 5), 'adding a webhook')
  const target = { kind: 'webhook', accountId: id, webhookId: webhook.id } as const
  const deliveries = [make.delivery(make.event(id), { target }), make.delivery(make.event(id))]
`,
      to: `  const deliveries = [make.delivery(make.event(id)), make.delivery(make.event(id))]
`,
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/test-kit/src/accounts/account-erasure.ts',
      from: `      expectErr(await store.webhooks.insert(make.webhook(id), 9), 'account_not_found')
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/test-kit/src/storage/factory.ts',
      from: `  same(expectOk(await store.webhooks.list(accountId)), [])
`,
      to: '',
      why: 'A check asks all stores one after the other.',
    },
    {
      file: 'packages/test-kit/src/storage/driver/sample-data.ts',
      from: `  const disabled = make.webhook(accountId, { disabled: { atMicros: noonMicros, reason: 'gone' } })
  expectOk(await storage.webhooks.insert(disabled, 5))
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/test-kit/src/storage/upkeep.ts',
      from: `      expectOk(await store.webhooks.insert(make.webhook(account.id, { createdAtMicros: laterMicros + 8 }), 5))
      same(await lastWrite(), laterMicros + 8, 'after a webhook')
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/test-kit/src/notifications/delivery-leases.ts',
      from: `function webhookOf(make: Samples, { accountId }: Queue): Target {
  return { kind: 'webhook', accountId, webhookId: make.uuid() }
}

/** Adds a delivery to each of four webhooks. */
async function addManyTargets(store: StorageUnderTest, make: Samples): Promise<readonly SecretDelivery[]> {
  const queue = await addQueue(store, make)
  const posts = [0, 1, 2, 3].map((at) => mailAt(make, queue, at, { target: webhookOf(make, queue) }))
  await addDeliveries(store, queue, posts)
  return posts
}
`,
      to: '',
      why: 'These make targets of two kinds.',
    },
    {
      file: 'packages/dashboard-fastify/src/shared/fields.ts',
      from: `  const { fieldErrors: addressErrors } = texts.webhooks
`,
      to: '',
      why: 'The rules of all fields have their texts by a switch.',
    },
    {
      file: 'packages/dashboard-fastify/src/shared/fields.ts',
      from: `      case 'not_a_url':
      case 'not_https':
      case 'address_not_allowed':
        return addressErrors[rule]
`,
      to: '',
      why: 'The rules of all fields have their texts by a switch.',
    },
    {
      file: 'packages/server/src/notifications/check-notifications.ts',
      from: `  const disabled = await countDisabledWebhooks(storage)
  if (state.isErr() || disabled.isErr())`,
      to: '  if (state.isErr())',
      why: 'A check looks at one thing after the other.',
    },
    {
      file: 'packages/server/src/notifications/check-notifications.ts',
      from: `  // Disabled webhooks are left out: their owners see why in their settings, and the operator could do nothing.
  const webhooks =
    disabled.value === 0 ? '' : \`, \${counted(disabled.value, 'webhook is', 'webhooks are')} disabled\`
  return [good(check, \`none was given up, \${events + waiting} wait\${webhooks}\`)]
`,
      to: `  return [good(check, \`none was given up, \${events + waiting} wait\`)]
`,
      why: 'A check looks at one thing after the other.',
    },
    {
      file: 'packages/server/src/notifications/notification-commands.ts',
      from: `  const listed = await sotto.listWebhooks({ accountId })
  if (listed.isErr()) return err(listed.error)
  const outcomes = await Promise.all([
    testMail(context),
    ...listed.value.items.map(({ id }) => testWebhook(context, id)),
  ])
  listed.value.corrupted.forEach((corruption) =>
    stderr.write(\`sotto: \${errorText(corruption)} and is left out\\n\`),
  )
`,
      to: `  const outcomes = [await testMail(context)]
`,
      why: 'An account has one address, and a list of webhooks.',
    },
    {
      file: 'packages/server/src/notifications/notification-commands.ts',
      from: `  const { sotto, output, accountId, stderr } = context
`,
      to: `  const { output } = context
`,
      why: 'An account has one address, and a list of webhooks.',
    },
    {
      file: 'packages/server/src/notifications/notification-commands.ts',
      from: `  const target = webhookId === undefined ? kind : \`\${kind} \${webhookId}\`
  if`,
      to: `  const target = kind
  if`,
      why: 'An account has one address, and a list of webhooks.',
    },
    {
      file: 'packages/core/test/corruption.ts',
      from: `  const webhook = await addWebhook(world)
  corruptEndpoint(world, webhook)
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/core/test/storage/find-corrupted-rows.test.ts',
      from: `  await addWebhook(world)
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/identity/test/storage/export-account.test.ts',
      from: `  await addWebhook(world)
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/wire/test/notifications/delivery.test.ts',
      from: '"kind":"mail","webhook_id":null,"type"',
      to: '"kind":"mail","type"',
      why: 'The test compares a whole text.',
    },
    {
      file: 'packages/wire/test/notifications/delivery.test.ts',
      from: '"kind":"mail","webhook_id":null,"ok"',
      to: '"kind":"mail","ok"',
      why: 'The test compares a whole text.',
    },
    {
      file: 'packages/dashboard-fastify/test/support/paths.ts',
      from: `  readonly webhook: string
`,
      to: '',
      why: 'The type of what a page is tried with names no type of the capability.',
    },
    {
      file: 'packages/core/test/accounts/delete-account.test.ts',
      from: `  await addWebhook(world)
`,
      to: '',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/core/test/accounts/delete-account.test.ts',
      from: 'secrets, webhooks, deliveries } = data',
      to: 'secrets, deliveries } = data',
      why: 'The test counts rows.',
    },
    {
      file: 'packages/core/test/accounts/delete-account.test.ts',
      from: 'webhooks.size + deliveries.size',
      to: 'deliveries.size',
      why: 'The test counts rows.',
    },
    {
      file: 'packages/core/test/notifications/deliver-lease.test.ts',
      from: `  const webhookSender = createMemoryWebhookSender({ answer: (_, nth) => answer(nth) })
  return { ...deps, mailSender, webhookSender }
`,
      to: `  return { ...deps, mailSender }
`,
      why: 'A helper of tests makes a world for both kinds of targets.',
    },
    {
      file: 'packages/core/test/notifications/deliver-lease.test.ts',
      from: `  const webhookId = await addWebhook(world)
  const secret = await shareHeard(world, fields)
`,
      to: `  const secret = await shareHeard(world, fields)
`,
      why: 'A helper of tests makes a world for both kinds of targets.',
    },
    {
      file: 'packages/core/test/notifications/lease-deliveries.test.ts',
      from: `  const hooks = [await addWebhook(world), await addWebhook(world)]
`,
      to: '',
      why: 'A helper of tests makes a world for both kinds of targets.',
    },
    {
      file: 'packages/core/test/notifications/lease-deliveries.test.ts',
      from: 'return { ...world, hooks }',
      to: 'return world',
      why: 'A helper of tests makes a world for both kinds of targets.',
    },
    {
      file: 'packages/core/test/storage-errors.test.ts',
      from: `    await addWebhook(world)
    await openTimes(world`,
      to: '    await openTimes(world',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/core/test/storage-errors.test.ts',
      from: `    await addWebhook(world)
    return (failing) => failing.rotateKeys()`,
      to: '    return (failing) => failing.rotateKeys()',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/core/test/storage-errors.test.ts',
      from: `    const { deps, sotto, accountId } = world
    const webhookId = await addWebhook(world)
    expectOk(await deps.webhooks.update(accountId, webhookId, () => ({ failingSinceMicros: 1 })))
`,
      to: `    const { sotto, accountId } = world
`,
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/core/test/storage-errors.test.ts',
      from: `    const webhook = await leaseDue(world, 'webhook')
    return (failing) =>
      failing.deliverLease({ lease: mail }).andThen(() => failing.deliverLease({ lease: webhook }))
`,
      to: `    return (failing) => failing.deliverLease({ lease: mail })
`,
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/core/test/sotto.test.ts',
      from: 'names.length >= 24',
      to: 'names.length >= 23',
      why: 'The test counts ports.',
    },
    {
      file: 'packages/core/test/sotto.test.ts',
      from: 'webhookSender: { checkUrl: ports.webhookSender.checkUrl }',
      to: 'mailSender: {}',
      why: 'The test takes one of the two senders.',
    },
    {
      file: 'packages/core/test/sotto.test.ts',
      from: 'ports.webhookSender.send is missing',
      to: 'ports.mailSender.send is missing',
      why: 'The test takes one of the two senders.',
    },
    {
      file: 'packages/core/test/storage/find-corrupted-rows.test.ts',
      from: 't.equal(found.length, 9)',
      to: 't.equal(found.length, 8)',
      why: 'The test counts kinds of rows.',
    },
    {
      file: 'packages/core/test/storage/drop-corrupted-rows.test.ts',
      from: 't.equal(before.length, 9)',
      to: 't.equal(before.length, 8)',
      why: 'The test counts kinds of rows.',
    },
    {
      file: 'packages/core/test/storage/drop-corrupted-rows.test.ts',
      from: `    t.strictSame(expectOk(await sotto.listWebhooks({ accountId })), { items: [], corrupted: [] })
`,
      to: '',
      why: 'The test looks at one list after the other.',
    },
    {
      file: 'packages/dashboard-fastify/test/shared/ids.test.ts',
      from: `  if (url.startsWith('/settings/notifications/')) {
    expectOk(await sotto.deleteWebhook({ accountId, id: gone.webhook }))
    return { deleted: gone.webhook }
  }
`,
      to: '',
      why: 'The test takes things away one after the other.',
    },
    {
      file: 'packages/dashboard-fastify/test/shared/page-headers.test.ts',
      from: ", 'Address', 'Add webhook']",
      to: ']',
      why: 'The test reads what a page says.',
    },
    {
      file: 'packages/dashboard-fastify/test/shared/host-users.test.ts',
      from: `  t.equal(
    (await post('/settings/notifications/webhooks', { url: 'https://example.org/h' }, 'ann')).statusCode,
    201,
  )
  t.equal(expectOk(await sotto.listWebhooks({ accountId })).items.length, 1)
`,
      to: '',
      why: 'The test makes one thing after the other.',
    },
    {
      file: 'packages/dashboard-fastify/test/shared/reauthentication.test.ts',
      from: `  const webhook = await dashboard.post(
    '/settings/notifications/webhooks',
    { url: 'https://example.org/hook', proof: wrong },
    { as: owner },
  )
  t.match(webhook.body, 'value="https://example.org/hook"')
`,
      to: '',
      why: 'The test sends one form after the other.',
    },
    {
      file: 'packages/wire/test/notifications/delivery.test.ts',
      from: `      target: { kind: 'webhook', accountId: 'a', webhookId: 'w' },
`,
      to: '',
      why: 'The test compares a whole text.',
    },
    {
      file: 'packages/wire/test/notifications/delivery.test.ts',
      from: "kind: 'webhook', webhook_id: 'w', ",
      to: '',
      why: 'The test compares a whole text.',
    },
    {
      file: 'packages/wire/test/notifications/delivery.test.ts',
      from: `  t.equal(
    JSON.stringify(toWireTestOutcome({ kind: 'webhook', webhookId: 'w', ok: false, reason: 'timeout' })),
    '{"kind":"webhook","webhook_id":"w","ok":false,"reason":"timeout"}',
  )
`,
      to: '',
      why: 'The test compares a whole text.',
    },
    {
      file: 'packages/core/test/notifications/lease-deliveries.test.ts',
      from: `  t.strictSame(expectOk(await leaseDeliveries(unable, { kind: 'webhook', ...asked })), [])
`,
      to: '',
      why: 'The test takes one kind after the other.',
    },
    {
      file: 'packages/test-kit/test/all-contracts.ts',
      from: `  runContract(test, webhookSenderContract, harnesses.webhookSenderHarness())
`,
      to: '',
      why: 'The test runs one contract after the other.',
    },
    {
      file: 'packages/dashboard-fastify/test/passkeys/passkeys.test.ts',
      from: `    ['/settings/notifications', '/settings/notifications/webhooks', { url: 'https://example.org/' }, 201],
`,
      to: '',
      why: 'Each form is a row of texts.',
    },
    {
      file: 'packages/server/test/browser/support/site.ts',
      from: `  let sendFailure: string | undefined
  const webhookSender = createMemoryWebhookSender({
    answer: () =>
      sendFailure === undefined ? undefined : { code: 'send_failed', reason: sendFailure, verdict: 'retry' },
  })
`,
      to: '',
      why: 'A helper of tests makes one thing after the other.',
    },
    {
      file: 'packages/core/test/keys/rotate-keys.test.ts',
      from: `  await addWebhook(world)
`,
      to: `  expectOk(await sotto.createFolder({ accountId, label: 'Other' }))
`,
      why: 'The test counts rows.',
    },
    {
      file: 'packages/dashboard-fastify/test/accounts/export-json.test.ts',
      from: `    webhooks: [],
`,
      to: '',
      why: 'The test compares a whole document.',
    },
    {
      file: 'packages/dashboard-fastify/test/notifications/notifications.test.ts',
      from: `  t.match(body, 'This service posts no notifications to webhooks')
`,
      to: '',
      why: 'The test reads what a page says.',
    },
    {
      file: 'packages/dashboard-fastify/test/shared/reauthentication.test.ts',
      from: `  {
    path: '/settings/notifications/mails',
    page: '/settings/notifications',
    fields: { labels: 'on' },
    done: 303,
  },
`,
      to: '',
      why: 'The page of notifications asks for a proof beside the field of a webhook.',
    },
    {
      file: 'packages/adapter-sqlite/src/backup/restore.ts',
      from: `    // The first failure after a restore could otherwise be the one that disables a webhook: it has not failed all the time since.
    change('UPDATE webhooks SET failing_since = NULL WHERE disabled_at IS NULL')
`,
      to: '',
      why: 'A restore changes rows of several tables in an order.',
    },
    ...countedKinds,
    {
      file: 'packages/test-kit/src/storage/history-contracts.ts',
      from: `/** The contract of the webhook store. With a webhook the deliveries to it are erased. */
export const webhookStoreContract = contract('webhook-store', webhookCases, {
  store: 'webhooks',
  steps: webhookSteps,
  others: [...queue, deliverySteps.page],
  prepare: addEventSource,
})

`,
      to: '',
      why: 'Each contract of histories is a constant.',
    },
    {
      file: 'packages/core/test/keys/rotate-keys.test.ts',
      from: '[201, 202, 203, 204, 207]',
      to: '[201, 203, 204, 207]',
      why: 'The test counts rows.',
    },
    {
      file: 'packages/server/src/installation/watch-storage.ts',
      from: `function watchWebhooks(webhooks: FullStorage['webhooks'], watcher: StorageWatcher): FullStorage['webhooks'] {
  return {
    ...webhooks,
    update(accountId, id, decide) {
      let reason: WebhookDisabledReason | undefined
      const decideAndTell: typeof decide = (webhook) => {
        const change = decide(webhook)
        reason = change?.disabled?.reason
        return change
      }
      return webhooks.update(accountId, id, decideAndTell).map((isFound) => {
        if (isFound && reason !== undefined) watcher.disabledWebhook({ accountId, webhookId: id, reason })
        return isFound
      })
    },
  }
}
`,
      to: '',
      why: 'Each store that is watched has a function of its own.',
    },
    {
      file: 'packages/server/test/browser/support/owner-states.ts',
      from: `    const owner = await enter(page, site)
    await addWebhooks(site, owner, addresses.slice(0, 3))
`,
      to: '    await enter(page, site)\n',
      why: 'A sample is filled step by step.',
    },
    {
      file: 'packages/identity/test/storage/export-account.test.ts',
      from: `    { webhooks: failing(deps.webhooks, { list: busy }) },
`,
      to: '',
      why: 'The test lets one list fail after the other.',
    },
  ],
}
