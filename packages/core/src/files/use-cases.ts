// The owner
export * from './upload-files.ts'
export * from './file-usage.ts'

// The recipient
export * from './read-ticket.ts'

// The installation
export * from './sweep-files.ts'
