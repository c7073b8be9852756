import type {
  AnswerChange,
  FoundRequest,
  LinkChange,
  LinkNotFound,
  LinkRecord,
  LinkStore,
  Ports,
  RequestNotFound,
  RequestStore,
  StorageError,
} from '@sotto/core'
import { err, ok, ResultAsync, type Result } from 'neverthrow'
import { setTimeout as pause } from 'node:timers/promises'

/** What several products shipped: they check whether something is allowed, then count it. */
export function readThenWrite<All extends Pick<Ports, 'links' | 'requests'>>(ports: All): All {
  return { ...ports, links: flawedLinks(ports.links), requests: flawedRequests(ports.requests) }
}

function flawedLinks(store: LinkStore): LinkStore {
  return {
    ...store,
    update: <Change extends LinkChange, E>(
      lookup: Uint8Array,
      formId: string | undefined,
      decide: (record: LinkRecord) => Result<Change, E>,
    ) =>
      beforehand<LinkRecord, Change, E, LinkNotFound>(store.find(lookup, 0), decide, {
        code: 'link_not_found',
      }).andThen((change) => store.update<Change, E>(lookup, formId, () => ok(change))),
  }
}

function flawedRequests(store: RequestStore): RequestStore {
  return {
    ...store,
    answer: <Change extends AnswerChange, E>(
      digest: Uint8Array,
      answerer: Parameters<RequestStore['answer']>[1],
      draft: Parameters<RequestStore['answer']>[2],
      decide: (found: FoundRequest) => Result<Change, E>,
    ) =>
      beforehand<FoundRequest, Change, E, RequestNotFound>(
        store.findByDigest(digest, Date.now() * 1_000, answerer),
        decide,
        { code: 'request_not_found' },
      ).andThen((change) => store.answer<Change, E>(digest, answerer, draft, () => ok(change))),
  }
}

/** Decides on what was read, and gives others the time to write in between. */
function beforehand<Found, Change, E, Missing>(
  read: ResultAsync<Found | undefined, StorageError>,
  decide: (found: Found) => Result<Change, E>,
  missing: Missing,
): ResultAsync<Change, E | Missing | StorageError> {
  const decided = read.andThen((found): Result<Change, E | Missing> =>
    found === undefined ? err(missing) : decide(found),
  )
  return decided.andThen((change) => new ResultAsync(pause(1).then(() => ok(change))))
}
