import { parseUuid, secretStatuses, type SecretStatus } from '@sotto/core'
import type { OwnerVisit } from '../shared/visit.ts'

/** A list of secrets, or of drafts: those of a folder or of all, with one status or with any. */
export interface ChosenList {
  readonly folder: { readonly id: string } | undefined
  readonly status?: SecretStatus | undefined
  readonly ofDrafts?: boolean
}

/** The path of a list, and where it goes on. */
export function listPath(list: ChosenList, after?: string): string {
  return `${list.ofDrafts === true ? '/drafts' : '/dashboard'}${listQuery(list, after)}`
}

/** The query of that path; empty for the whole list. */
export function listQuery({ folder, status, ofDrafts = false }: ChosenList, after?: string): string {
  const query = [
    ofDrafts ? 'list=drafts' : '',
    folder === undefined ? '' : `folder=${folder.id}`,
    status === undefined ? '' : `status=${status}`,
    after === undefined ? '' : `after=${after}`,
  ].filter((part) => part !== '')
  return query.length === 0 ? '' : `?${query.join('&')}`
}

/** The list that the address of a request names. */
export function chosenList({ query }: Pick<OwnerVisit, 'query'>): ChosenList {
  const id = parseUuid(query['folder'] ?? '')
  return {
    folder: id === undefined ? undefined : { id },
    status: secretStatuses.find((each) => each === query['status']),
    ofDrafts: query['list'] === 'drafts',
  }
}
