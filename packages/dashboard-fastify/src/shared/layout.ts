import { languages, type Language } from '@sotto/core'
import {
  errorSummary,
  appStyle,
  pageOf,
  type Page,
  isolated,
  languageLinks,
  type Embedded,
  filled,
  markup,
  type Html,
  languageNames,
  detailStyle,
  newsStyle,
  readingStyle,
  rowStyle,
} from '@sotto/html'
import { withParameter } from './next-path.ts'
import type { LocalizedDashboard } from './localized.ts'

/** The entry of the navigation that the page belongs to. */
export type Place = 'secrets' | 'requests' | 'newSecret' | 'settings' | 'none'

export interface LayoutParts {
  readonly localized: LocalizedDashboard
  /** The title. It is never a label: titles are saved in the browser's history. */
  readonly title: string
  readonly main: Html
  readonly script?: Embedded | undefined
  /** Whether the main part has a form; false by default. */
  readonly hasForm?: boolean
  /** Where its forms may lead in the end, besides its own origin: sources of the policy. */
  readonly leadsTo?: string | undefined
}

export interface GuestLayoutParts extends LayoutParts {
  /**
   * The path of the page, which the footer offers in each language. Without it no link leaves the page, which may have what somebody typed.
   */
  readonly path?: string
}

/** The path that leads to the form for signing in when there is no session. */
const home = '/dashboard'

/** A page for somebody who is not signed in: one thing to do, in a narrow column. */
export function guestPage({
  localized,
  title,
  main,
  script,
  hasForm = false,
  leadsTo,
  path,
}: GuestLayoutParts): Page {
  const { heading } = localized.texts.accounts.settings.language
  const summary = summaryOf(localized, main)
  const footer = markup`${aboutOf(localized)}${
    path !== undefined && languageLinks(localized, heading, (tag) => withParameter(path, 'lang', tag))
  }`
  return pageOf({
    localized,
    title,
    layout: 'card',
    home: path === undefined ? undefined : home,
    main: markup`${summary}${main}`,
    hasFault: summary !== undefined,
    footer,
    hasForm,
    leadsTo,
    script,
    sheets: [appStyle, ...usualSheets.more],
  })
}

export interface OwnerLayoutParts extends LayoutParts {
  /** Style sheets beside the one of all of the owner's pages. */
  readonly sheets?: readonly Embedded[] | undefined
  /** A list of secrets in all folders, one secret, or a form: it leaves out sheets that all others have. */
  readonly only?: 'list' | 'secret' | 'form' | undefined
  readonly place: Place
  /** The folder that the page is about, which a new secret goes into unless its author chooses another. */
  readonly folderId?: string | undefined
  /** Whether its script sends its form; false by default. */
  readonly sends?: boolean | undefined
}

/** A page with a navigation. */
export interface OwnerPage extends Page {
  /** The page that says how many answers are new, asked for when it is sent; `undefined` when none are. */
  readonly withNews?: () => Promise<Page | undefined>
}

/** A page for somebody who is signed in. The navigation has the form that signs out. */
export function ownerPage(parts: OwnerLayoutParts): OwnerPage {
  const { countNewAnswers } = parts.localized
  const page = pageWith(parts, 0)
  if (countNewAnswers === undefined) return page
  const withNews = async (): Promise<Page | undefined> => {
    const newAnswers = await countNewAnswers()
    return newAnswers > 0 ? pageWith(parts, newAnswers) : undefined
  }
  return { ...page, withNews }
}

function pageWith(parts: OwnerLayoutParts, newAnswers: number): Page {
  const { localized, title, main, script, sends } = parts
  const summary = summaryOf(localized, main)
  const { skip } = localized.texts.common.navigation
  const navigation = navigationOf(parts, newAnswers)
  const sheets = [
    appStyle,
    ...usualSheets[parts.only ?? 'more'],
    ...(newAnswers > 0 ? [newsStyle] : []),
    ...(parts.sheets ?? []),
  ]
  return pageOf({
    localized,
    title,
    layout: 'wide',
    skip,
    home,
    navigation,
    main: markup`${summary}${main}`,
    hasFault: summary !== undefined,
    footer: ownerFooter(localized),
    hasForm: true,
    // The forms of the settings may ask for a proof first.
    leadsTo: parts.place === 'settings' ? localized.singleSignOn?.formTargets : undefined,
    sends,
    script,
    sheets: [...new Set(sheets)],
  })
}

const usualSheets = {
  list: [readingStyle, rowStyle],
  secret: [readingStyle, detailStyle],
  form: [],
  more: [readingStyle, rowStyle, detailStyle],
} as const

/** `undefined` when no field has a fault. */
function summaryOf({ texts }: LocalizedDashboard, main: Html): Html | undefined {
  return errorSummary(main, texts.common.invalidForm)
}

/** The way back to the lists. */
export function crumbs(
  { texts }: LocalizedDashboard,
  folder?: { readonly path: string; readonly label: string },
): Html {
  return markup`<p class="crumbs"><a href="/dashboard">${texts.folders.dashboard.heading}</a>${
    folder &&
    markup` <span aria-hidden="true">/</span> <a href="${folder.path}">${isolated(folder.label)}</a>`
  }</p>`
}

function navigationOf({ localized, place, folderId }: OwnerLayoutParts, newAnswers: number): Html {
  const { common, secrets, folders, requests, accounts } = localized.texts
  const current = (at: Place): Html | undefined => (at === place ? markup` aria-current="page"` : undefined)
  const newPath = folderId === undefined ? '/secrets/new' : `/secrets/new?folder=${folderId}`
  return markup`<nav aria-label="${common.navigation.label}">
    <a href="/dashboard"${current('secrets')}>${folders.dashboard.heading}</a>
    <a href="/requests"${current('requests')}>${requests.heading}${newAnswers > 0 && markup` <b class="news">${localized.number(newAnswers)}</b>`}</a>
    <a href="/settings"${current('settings')}>${accounts.settings.heading}</a>
    ${signOutControl(localized)}
    <a class="new" href="${newPath}"${current('newSecret')}>${secrets.newSecret.heading}</a>
  </nav>`
}

function signOutControl({ texts, host }: LocalizedDashboard): Html | undefined {
  const { signOut } = texts.common.navigation
  if (host === undefined)
    return markup`<form method="post" action="/logout"><button type="submit">${signOut}</button></form>`
  return host.signOutUrl === undefined ? undefined : markup`<a href="${host.signOutUrl}">${signOut}</a>`
}

/** The language is the account's, so a form changes it. It shows the page again where it was chosen. */
function ownerFooter(localized: LocalizedDashboard): Html {
  const { common, accounts } = localized.texts
  const { heading } = accounts.settings.language
  const choice = (tag: Language): Html =>
    markup`<button name="language" value="${tag}" lang="${tag}"${tag === localized.language && markup` aria-current="true"`}>${languageNames[tag]}</button>`
  return markup`${aboutOf(localized)}<a href="/help">${common.help}</a>
    <form class="languages" method="post" action="/settings/language" aria-label="${heading}">${languages.map(choice)}</form>`
}

function aboutOf({ texts, brand }: LocalizedDashboard): Html {
  return markup`<p>${filled(texts.common.about, { name: brand.name })}</p>`
}
