/** A text without what differs each time: ids, tokens, times, sizes, ages and paths. */
export function comparable(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d(?:T[\d:.]+Z| [\d:]{8})/g, 'TIME')
    .replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID')
    .replace(/\/welcome\/[\w-]{43}/g, '/welcome/TOKEN')
    .replace(/\bsotto_[A-Za-z0-9]{46}/g, 'sotto_TOKEN')
    .replace(/[\d.]+ [kMG]B/g, 'SIZE')
    .replace(/\d+ (?:second|minute|hour)s?\b/g, 'AGE')
    .replace(/\/\S+\/(data|keys)\b/g, 'PATH/$1')
    .trimEnd()
}
