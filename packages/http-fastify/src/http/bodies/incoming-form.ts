import type { NewFile, NewFiles, Pieces, UploadBroken } from '@sotto/core'
import type { FastifyReply } from 'fastify'
import { err, ok, type Result } from 'neverthrow'
import { problems, type Problem } from '../answers/problems.ts'
import { refused, type BodyBuffer } from './bodies.ts'
import { incomingBody, type BodySender, type IncomingBody } from './incoming.ts'
import { readParts, type Part } from './multipart.ts'

/** A body of `multipart/form-data` while it arrives. */
export interface IncomingForm {
  /** The next part, or the end. What is left of the part before is skipped. */
  next(): Promise<Result<Part<UploadBroken> | 'end', UploadBroken>>
  /** The answer to a body that ended with an error. */
  problem(): Problem
}

/** @throws as {@link incomingBody} does */
export function readIncomingForm(reply: FastifyReply, boundary: string, sender: BodySender): IncomingForm {
  const body = incomingBody(reply, sender)
  return {
    next: partsIn(body.pieces, boundary),
    problem: () => problemsOfEnds[body.cutOff() ?? 'malformed'],
  }
}

/** Makes the function that gives the parts of a body one after the other, then the end. */
export function partsIn(body: Pieces<UploadBroken>, boundary: string): IncomingForm['next'] {
  const parts = readParts<UploadBroken>(body, boundary, broken)
  return async () => {
    const next = await parts.next()
    return next.done === true ? ok('end') : next.value
  }
}

const broken: UploadBroken = { code: 'upload_broken' }

const problemsOfEnds: Readonly<
  Record<NonNullable<ReturnType<IncomingBody['cutOff']>> | 'malformed', Problem>
> = {
  malformed: problems.badMultipart,
  broken_off: problems.badRequest,
  too_slow: problems.timeout,
}

/**
 * Adds all bytes of a content to those of a buffer.
 * @throws an error with the `statusCode` 413 when the buffer takes less, and 503 when all bodies together are too long
 */
export async function hold(
  buffer: BodyBuffer,
  content: Pieces<UploadBroken>,
): Promise<Result<void, UploadBroken>> {
  for await (const piece of content) {
    if (piece.isErr()) return err(piece.error)
    const refusal = buffer.add(piece.value)
    if (refusal !== undefined) throw refused(refusal)
  }
  return ok()
}

/**
 * The rest of a form as files.
 * @param isFile whether a part is a file of the upload; any other part breaks it
 * @param first a part that was asked for already
 */
export async function* filesOf(
  { next }: Pick<IncomingForm, 'next'>,
  isFile: (part: Part<UploadBroken>) => boolean,
  first?: Part<UploadBroken>,
): AsyncGenerator<Result<NewFile, UploadBroken>, void, void> {
  for (let part = first ? ok(first) : await next(); ; part = await next()) {
    if (part.isErr()) return yield err(part.error)
    if (part.value === 'end') return
    const { fileName, type, content } = part.value
    if (!isFile(part.value) || fileName === undefined) return yield err(broken)
    yield ok({ name: fileName, type, content })
  }
}

/** The files, and after the last one an error when their sender may not send them any more: sending can take hours. */
export async function* allowedAtEnd(
  files: NewFiles,
  isAllowed: () => Promise<boolean>,
): AsyncGenerator<Result<NewFile, UploadBroken>, void, void> {
  yield* files
  if (!(await isAllowed())) yield err(broken)
}

/** How long files arrive before it is asked again whether they may. */
const askMillis = 10_000

/** The files, and an error among their bytes once they may not be sent any more. */
export async function* allowedWhile(
  files: NewFiles,
  isAllowed: () => Promise<boolean>,
  nowMillis = () => performance.now(),
): AsyncGenerator<Result<NewFile, UploadBroken>, void, void> {
  let askedAtMillis = nowMillis()
  async function* watched(
    content: Pieces<UploadBroken>,
  ): AsyncGenerator<Result<Uint8Array, UploadBroken>, void, void> {
    for await (const piece of content) {
      const isDue = nowMillis() - askedAtMillis >= askMillis
      if (isDue) askedAtMillis = nowMillis()
      if (isDue && !(await isAllowed())) return yield err(broken)
      yield piece
    }
  }
  for await (const file of files)
    yield file.map((each): NewFile => ({ ...each, content: watched(each.content) }))
}
