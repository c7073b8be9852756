import type { FoldersTexts } from '../en/folders.ts'

export const folders: FoldersTexts = {
  newFolder: '新しいフォルダー',
  create: '作成',
  labelHint: '受信者には表示されません。',
  manage: 'タイトルの変更・削除',
  rename: 'タイトルを変更',
  delete: 'フォルダーを削除',
  deleteHeading: 'このフォルダーを削除しますか？',
  deleteEmpty: 'フォルダーは空です。この操作は取り消せません。',
  deleteFull: '一緒に削除されるもの：{contents}。リンクはすぐに使えなくなります。この操作は取り消せません。',
  secrets: { other: 'メッセージ{count}件' },
  drafts: { other: '下書き{count}件' },
  added: '確認のあとでフォルダーに追加されたものがあります。現在の内容は次のとおりです。',
  dashboard: {
    heading: 'メッセージ',
    folders: 'フォルダー',
    allFolders: 'すべてのフォルダー',
    show: '表示',
    statuses: { all: 'すべて', waiting: '未開封', opened: '開封済み', finished: '終了' },
    noneOfStatus: { heading: '該当するものはありません', lead: 'ほかのメッセージは「すべて」にあります。' },
    older: '古いメッセージ',
    newest: '最新のメッセージ',
    noFolders: {
      heading: 'まずフォルダーを作りましょう',
      lead: 'フォルダーを使うと、取引先やプロジェクトごとにメッセージを分けられます。',
    },
    noSecrets: {
      heading: 'メッセージはまだありません',
      lead: '本文を書いてリンクを受け取り、読んでほしい人にそのリンクを送ってください。',
      action: 'メッセージを書く',
    },
    corrupted:
      'データが壊れているため、一部のメッセージを表示できません。このサービスの運営者にお尋ねください。',
  },
  search: {
    heading: '検索',
    field: 'すべてのタイトルを検索',
    submit: '検索する',
    found: { other: '{count} 件見つかりました' },
    stopped: { other: '{count} 件のタイトルを調べたところで検索を止めました。' },
    more: '続けて検索',
    nothing: {
      heading: '見つかりませんでした',
      lead: 'これらの語をすべて含むタイトルはありません。本文は検索されません。',
    },
    busy: '別の検索がまだ実行中のため、何も検索していません。しばらくしてからもう一度お試しください。',
  },
  several: {
    deleteSelected: '選択したものを削除',
    heading: '選択したものを削除しますか？',
    lead: 'リンクは使えなくなり、内容はすぐに削除されます。元に戻すことはできません。',
    tooMany: {
      heading: '選択が多すぎます',
      lead: '一度に削除できるのは {limit} 件までです。何も削除していません。',
    },
    deletedSecrets: { other: 'メッセージを {count} 件削除しました。' },
    deletedDrafts: { other: '下書きを {count} 件削除しました。' },
    removeFinished: '終了したものをすべて片付ける（{count}）',
    finishedHeading: '終了したメッセージをすべて片付けますか？',
    finishedLead: {
      other:
        '{count} 件のメッセージが一覧から消えます。もう誰も開けません。本文はすでに削除されていて、残りも今削除されます。',
    },
    remove: '片付ける',
    removed: { other: '{count} 件を片付けました' },
  },
  done: {
    noneSelected: '何も選択されていません。削除したいものにチェックを付けてください。',
    folderCreated: 'フォルダーを作成しました。',
    folderRenamed: 'フォルダーのタイトルを変更しました。',
    folderDeleted: 'フォルダーを削除しました。',
  },
}
