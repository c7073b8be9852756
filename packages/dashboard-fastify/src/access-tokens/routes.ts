import type { AccessToken } from '@sotto/identity'
import type { Result } from 'neverthrow'
import type { ErrorOf } from '@sotto/core'
import type { FormFields } from '@sotto/http-fastify/plugin'
import type { DashboardUseCases } from '../use-cases.ts'
import { show, type Answer } from '../shared/answers.ts'
import { audit } from '../shared/audit.ts'
import { errorAnswer, statusAnswer } from '../shared/errors.ts'
import { formOf } from '../shared/form.ts'
import { doneOf } from '../shared/done.ts'
import { fieldProblems } from '../shared/fields.ts'
import { ownerButton } from '../shared/owner-form.ts'
import { questionPage } from '../shared/question-page.ts'
import { newTokenPage, tokenDays, tokensPage, type TokensInput } from './tokens-page.ts'
import { reauthenticationNeed, prove } from '../shared/reauthentication.ts'
import type { Router } from '../shared/router.ts'
import { idOf, named, type OwnerVisit } from '../shared/visit.ts'
import { allItems } from '../shared/lists.ts'

type UseCases = Pick<DashboardUseCases, 'createAccessToken' | 'listAccessTokens' | 'revokeAccessToken'>

export interface TokenRoutesOptions {
  readonly router: Router
  readonly sotto: UseCases
  /** The origin that the example of a request names. */
  readonly baseUrl: string
}

/** `/settings/tokens`, `/settings/tokens/{id}/revoke`. */
export function addTokenRoutes({ router, sotto, baseUrl }: TokenRoutesOptions): void {
  router.owner('/settings/tokens', {
    get: (visit) => showTokens(sotto, visit),
    post: (visit, fields) => create(sotto, visit, fields, baseUrl),
  })
  router.owner('/settings/tokens/:id/revoke', {
    get: (visit) => askToRevoke(sotto, visit),
    post: ownerButton({
      run: (visit) => sotto.revokeAccessToken(named(visit)),
      audit: ['token_revoked', 'token_id'],
      done: '/settings/tokens?done=tokenRevoked',
    }),
    takesAccessAway: true,
  })
}

const noValues: TokensInput['values'] = { name: '', scopes: ['read', 'write'], expires: '90' }

async function showTokens(
  sotto: UseCases,
  visit: OwnerVisit,
  again: Pick<TokensInput, 'values' | 'problems'> = { values: noValues, problems: {} },
  status = 200,
): Promise<Answer> {
  const { localized, nowMicros, query } = visit
  const tokens = await allTokens(sotto, visit)
  if (tokens.isErr()) return errorAnswer(visit, tokens.error)
  const done = doneOf(localized, query['done'])
  const input = {
    tokens: tokens.value,
    nowMicros,
    reauthentication: await reauthenticationNeed(visit),
    done,
    ...again,
  }
  return show(tokensPage(localized, input), status)
}

/** The tokens of an account, newest first. */
async function allTokens(
  sotto: UseCases,
  visit: OwnerVisit,
): Promise<Result<readonly AccessToken[], ErrorOf<UseCases['listAccessTokens']>>> {
  const all = await allItems(visit, sotto.listAccessTokens({ accountId: visit.accountId }))
  return all.map(({ items }) => items.toReversed())
}

async function create(
  sotto: UseCases,
  visit: OwnerVisit,
  fields: FormFields,
  baseUrl: string,
): Promise<Answer> {
  const { accountId, localized } = visit
  const form = formOf(fields, ['name', 'read', 'write', 'expires', 'proof'])
  if (form.isErr()) return statusAnswer(localized, form.error.status)
  const { name, read, write, expires } = form.value
  const scopes = [...(read === '' ? [] : ['read']), ...(write === '' ? [] : ['write'])]
  const again = (problems: TokensInput['problems'], status = 400): Promise<Answer> =>
    showTokens(sotto, visit, { values: { name, scopes, expires }, problems }, status)
  const days = tokenDays.find((each) => String(each) === expires)
  if (days === undefined) return again({ expires: localized.texts.common.fieldErrors.unknown_choice })
  const outcome = await prove(visit, fields)
  if (outcome !== undefined) {
    return 'kind' in outcome ? outcome : again({ proof: outcome.problem }, outcome.status)
  }
  const expiresInSeconds = days === 0 ? undefined : days * 86_400
  const created = await sotto.createAccessToken({ accountId, name, scopes, expiresInSeconds })
  if (created.isOk()) {
    audit(visit, 'token_created', { account_id: accountId, token_id: created.value.id })
    return show(newTokenPage(localized, { token: created.value.token, baseUrl }), 201)
  }
  if (created.error.code !== 'fields_invalid') return errorAnswer(visit, created.error)
  return again(fieldProblems(localized, created.error.errors, { name: 'name', scopes: 'scopes' }))
}

async function askToRevoke(sotto: UseCases, visit: OwnerVisit): Promise<Answer> {
  const { localized } = visit
  const tokens = await allTokens(sotto, visit)
  if (tokens.isErr()) return errorAnswer(visit, tokens.error)
  const token = tokens.value.find(({ id }) => id === idOf(visit))
  if (token === undefined) return statusAnswer(localized, 404)
  const { revoke: button, revokeHeading: heading, revokeLead: lead } = localized.texts.accessTokens
  const action = `/settings/tokens/${token.id}/revoke`
  const question = { place: 'settings', heading, label: token.name, lead, action, button } as const
  return show(questionPage(localized, { ...question, back: '/settings/tokens' }))
}
