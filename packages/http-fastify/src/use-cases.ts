import type { Caller, ClientGone, ErrorOf, FileMissing, Sotto, TokenInvalid } from '@sotto/core'
import type { ResultAsync } from 'neverthrow'

/** The use-cases that the API calls, and the policy that it shows and enforces. */
export type ApiUseCases = Pick<
  Sotto,
  | 'policy'
  | 'takeQuota'
  | 'peekQuota'
  | 'listFolders'
  | 'listSecrets'
  | 'getSecret'
  | 'destroySecret'
  | 'checkNewSecret'
  | 'createSecret'
  | 'createSecretOnce'
  | 'isKeyUsed'
  | 'uploadFiles'
  | 'dropUpload'
>

/** The use-case that finds whose an access token is: that of `@sotto/identity`, or your own. */
export interface TokenUseCases {
  /** @errors `token_invalid` for a token that is malformed, unknown, revoked or expired */
  authenticate(input: { readonly token: string }): ResultAsync<Caller, AuthenticationError>
}

/** What can go wrong with the use-cases that find an account. */
export type AuthenticationError = TokenInvalid | ErrorOf<Sotto['ensureAccount']>

/** The use-cases that links call. Without those of requests there are no pages of requests, without that of files no file can be fetched. */
export type LinkUseCases = OpenUseCases & Partial<AnswerUseCases & FileUseCases>

/** The use-cases that the links of secrets call. */
export type OpenUseCases = Pick<Sotto, 'previewLink' | 'openSecret'>

/** The use-case that the files of an opened link call. */
export type FileUseCases = Pick<Sotto, 'readTicket'>

/** The use-cases that the links of requests call, and the policy that bounds an answer. */
export type AnswerUseCases = Pick<
  Sotto,
  'policy' | 'previewRequest' | 'admitAnswer' | 'answerRequest' | 'uploadFiles' | 'dropUpload'
>

/** What answers need that are given before any route is known. */
export type QuotaUseCases = Pick<Sotto, 'policy' | 'peekQuota'>

export type ApiError = ErrorOf<ApiUseCases[keyof ApiUseCases]> | TokenInvalid
/** What a client of a link gets. One that has left gets nothing. */
export type LinkError = Exclude<ErrorOf<OpenUseCases[keyof OpenUseCases]>, ClientGone>
/** What a client of a request's link gets. */
export type AnswerError = ErrorOf<AnswerUseCases[keyof AnswerUseCases]>

/** What a client gets that fetches a file of an opened link. */
export type FileError = ErrorOf<FileUseCases['readTicket']> | FileMissing

/** Every error of the core that can reach HTTP. */
export type HttpError = ApiError | LinkError | AnswerError | FileError
