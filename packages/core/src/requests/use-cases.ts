// The owner
export * from './requests.ts'
export * from './answers.ts'

// Whoever has the link
export * from './admit-answer.ts'
export * from './answer-request.ts'
