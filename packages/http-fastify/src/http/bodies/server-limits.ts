import type { Server } from 'node:http'

/** A byte budget: counts the bytes that are held at the same time. */
export interface ByteBudget {
  /** Takes `bytes` more of the budget; a negative number gives them back. False, and nothing is taken, when there are not enough left. */
  take(bytes: number): boolean
}

/** The byte budget of bodies. */
export interface BodyBudget {
  /**
   * Takes or gives back the difference for a body of which `from` bytes were held and `to` are from now on. False, and nothing changes,
   * when there are not enough left.
   */
  resize(from: number, to: number): boolean
}

/** @param within another budget, of which this one is a part */
export function createByteBudget(maxBytes: number, within?: ByteBudget): ByteBudget {
  let held = 0
  return {
    take(bytes) {
      if (held + bytes > maxBytes || within?.take(bytes) === false) return false
      held += bytes
      return true
    },
  }
}

/** How long the start of a body is. Few bodies are longer. */
export const startBytes = 2 * 1024

/**
 * The starts of bodies have a budget of their own: somebody who sends many long bodies must not keep others from sending short ones. With
 * short ones people sign in, open links and create most secrets.
 */
export function createBodyBudget(starts: ByteBudget, rests: ByteBudget): BodyBudget {
  return {
    resize(from, to) {
      const start = Math.min(to, startBytes) - Math.min(from, startBytes)
      if (!starts.take(start)) return false
      if (rests.take(to - from - start)) return true
      starts.take(-start)
      return false
    },
  }
}

const mebibyte = 1024 * 1024

/** How many bytes of bodies one server holds at the same time: enough for 10,000 starts, and for the rest of longer ones. */
export const startsMaxBytes = 20 * mebibyte
export const restsMaxBytes = 44 * mebibyte

/** How many of those belong to forms that are refused already, and are held only to be shown again. */
export const refusedFormsMaxBytes = 8 * mebibyte

/** How many belong to the texts of uploads, which are held for as long as files arrive. All others have the rest. */
export const uploadTextsMaxBytes = restsMaxBytes / 2

/** How many long bodies arrive at the same time. */
export const longBodiesMax = 128

/** How many of these somebody without an account sends: most of them are left to those with one. */
export const answerUploadsMax = longBodiesMax / 4

/** How many downloads there are at the same time. */
export const downloadsMax = 128

/** How many bytes belong to the texts of uploads from somebody without an account. */
export const answerTextsMaxBytes = uploadTextsMaxBytes / 2

/** How many permits one id gets once half of all are taken: as many as a browser has connections to a server. */
const fewPermits = 6

/** A semaphore for transfers: each takes a permit under one id or several. */
export interface Semaphore {
  /** False, and nothing is taken, when there is none left for one of these ids. */
  tryAcquire(...ids: readonly string[]): boolean
  release(...ids: readonly string[]): void
  /** How many permits an id has. */
  held(id: string): number
}

/**
 * Makes a semaphore of `max` permits. Once half of them are taken, an id that has {@link fewPermits} gets no further one. So the downloads
 * of one link or one address cannot keep others from theirs, nor the uploads of one account.
 * @param within another semaphore, of whose permits these are a part
 */
function createSemaphore(max: number, within?: Semaphore): Semaphore {
  const permits = new Map<string, number>()
  let taken = 0
  const held = (id: string): number => permits.get(id) ?? 0
  const change = (ids: readonly string[], by: 1 | -1): void => {
    taken += by
    for (const id of ids) {
      const left = held(id) + by
      if (left > 0) permits.set(id, left)
      else permits.delete(id)
    }
  }
  const hasFew = (id: string): boolean => held(id) >= fewPermits
  return {
    tryAcquire(...ids) {
      if (taken >= max || (taken >= max / 2 && ids.some(hasFew))) return false
      if (within?.tryAcquire(...ids) === false) return false
      change(ids, 1)
      return true
    },
    release(...ids) {
      change(ids, -1)
      within?.release(...ids)
    },
    held,
  }
}

/** The byte budgets and semaphores of one server, which all plugins of its application share. */
export interface ServerLimits {
  readonly starts: ByteBudget
  readonly rests: ByteBudget
  readonly bodies: BodyBudget
  readonly refusedForms: BodyBudget
  readonly uploadTexts: BodyBudget
  readonly answerTexts: BodyBudget
  /** The semaphore by the id of the account that sends the body. */
  readonly longBodies: Semaphore
  /** The semaphore by the request that is answered, and by the client's address: a part of the one before. */
  readonly answerUploads: Semaphore
  /** The semaphore by the secret whose file is fetched, and by the client's address. */
  readonly downloads: Semaphore
}

const limits = new WeakMap<Server, ServerLimits>()

export function limitsOf(server: Server): ServerLimits {
  const known = limits.get(server)
  if (known !== undefined) return known
  const starts = createByteBudget(startsMaxBytes)
  const rests = createByteBudget(restsMaxBytes)
  const uploadTexts = createByteBudget(uploadTextsMaxBytes, rests)
  const longBodies = createSemaphore(longBodiesMax)
  const made = {
    starts,
    rests,
    bodies: createBodyBudget(starts, rests),
    refusedForms: createBodyBudget(starts, createByteBudget(refusedFormsMaxBytes, rests)),
    uploadTexts: createBodyBudget(starts, uploadTexts),
    answerTexts: createBodyBudget(starts, createByteBudget(answerTextsMaxBytes, uploadTexts)),
    longBodies,
    answerUploads: createSemaphore(answerUploadsMax, longBodies),
    downloads: createSemaphore(downloadsMax),
  }
  limits.set(server, made)
  return made
}
