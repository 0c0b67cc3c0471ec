import type { AddedPage, HomeWords } from '#contract/public/association.ts'
import { USUAL_FOOTER, USUAL_MENU, withUsualEntries, type FooterLink, type MenuEntry } from '#contract/menu.ts'
import { isOwnPath, isPicture } from '#contract/fields.ts'
import {
  addedPageKind,
  homeKind,
  menuKind,
  redirectKind,
  type AddedPageValue,
  type HomeValue,
  type MenuItem,
  USUAL_ITEMS,
} from '#server/features/content-store/kinds/website.kinds.ts'
import type { PublishedRecord, PublishedRecords } from '#server/features/content-store/record-set.rules.ts'
import { joinRedirects } from '#server/features/content-store/redirects.rules.ts'
import { withContents } from '#server/features/content-store/page-contents.rules.ts'

type MenuLink = Omit<MenuEntry, 'nav'> & { nav: MenuEntry['nav'] | 'none'; footerLabel: string | null }

/** All entries, in order. */
export interface SiteMenu {
  menu: MenuEntry[]
  footer: FooterLink[]
}

/** The menu, the added pages by address, and the addresses that moved. */
export interface PresentWebsite extends SiteMenu {
  home: HomeWords
  addedPages: Map<string, AddedPage>
  /** Former path to current path. */
  movedPaths: ReadonlyMap<string, string>
  /** Old addresses of a former website, by `redirectKey`, with the paths of this site. */
  redirects: ReadonlyMap<string, string>
}

export function presentWebsite(
  records: PublishedRecords,
  markdownToHtml: (markdown: string) => string,
): PresentWebsite {
  const pages = records.list(addedPageKind)
  const current = new Set(pages.map(({ value }) => value.address))
  return {
    home: presentHome(records.single(homeKind)),
    addedPages: new Map(pages.map(({ value }) => [value.address, presentPage(value, markdownToHtml)])),
    ...presentMenu(pages, records.single(menuKind)?.pages ?? []),
    movedPaths: new Map(
      pages.flatMap(({ value: { address, formerAddresses = [] } }) =>
        // A page that has the address now comes first.
        formerAddresses.filter((former) => !current.has(former)).map((former) => [`/${former}`, `/${address}`]),
      ),
    ),
    redirects: joinRedirects(records.list(redirectKind).map(({ value }) => value.lines)),
  }
}

function presentPage(value: AddedPageValue, markdownToHtml: (markdown: string) => string): AddedPage {
  const { address, title, description, picture, pictureAlt = '', more = [] } = value
  return {
    address,
    title,
    description,
    picture: picture !== undefined && isPicture(picture) ? { name: picture, alt: pictureAlt } : null,
    more: more.filter(({ path }) => isOwnPath(path)),
    ...withContents(markdownToHtml(value.markdown)),
  }
}

/** The whole menu and footer, in the order and with the labels of the menu's record; added pages that it does not have come last, by title. */
function presentMenu(pages: readonly PublishedRecord<AddedPageValue>[], listed: readonly MenuItem[]): SiteMenu {
  const unlisted = pages
    .filter(({ id }) => !listed.some(({ page }) => page === id))
    .map(({ id }): MenuItem => ({ page: id }))
  const items = [...withUsualEntries<MenuItem>(listed, USUAL_ITEMS, ({ page }) => page), ...unlisted]
  const entries = items.flatMap(({ page, label, footerLabel, isHidden }): MenuLink[] => {
    if (isHidden) return []
    const usual = USUAL_MENU.find(({ path }) => path === page)
    if (usual) return [{ ...usual, label: label ?? usual.label, footerLabel: footerLabel ?? null }]
    const added = pages.find(({ id }) => id === page)?.value
    if (!added) return []
    const name = label ?? added.menuLabel ?? added.title
    return [
      {
        path: `/${added.address}`,
        label: name,
        nav: added.menu,
        footerLabel: added.isInFooter ? (footerLabel ?? name) : null,
      },
    ]
  })
  return {
    menu: entries.flatMap(({ path, label, nav }) => (nav === 'none' ? [] : [{ path, label, nav }])),
    footer: entries
      .flatMap(({ path, footerLabel }) => (footerLabel === null ? [] : [{ path, label: footerLabel }]))
      .toSorted((one, other) => footerPosition(one) - footerPosition(other)),
  }
}

/** The usual links in their own order, then the others in the menu's. */
function footerPosition({ path }: FooterLink): number {
  const position = USUAL_FOOTER.findIndex((link) => link.path === path)
  return position === -1 ? USUAL_FOOTER.length : position
}

/** A site without the record has the words that stand in content files for it: empty ones leave out their element. */
function presentHome(value: HomeValue | null): HomeWords {
  const { slides, hasOnlyTheseSlides = false, ...words } = value ?? EMPTY_HOME
  return {
    ...words,
    hasOnlyTheseSlides,
    slides: slides.map(({ title = null, event = null, picture, pictureAlt = '', text = null, label, path }) => ({
      title,
      event,
      picture: picture !== undefined && isPicture(picture) ? { name: picture, alt: pictureAlt } : null,
      text,
      button: label !== undefined && path !== undefined ? { label, path } : null,
    })),
  }
}

/** The buttons are specified. */
const EMPTY_HOME: HomeValue = {
  eyebrow: '',
  headline: '',
  lead: '',
  join: { label: 'Become a Member', path: '/become-a-member' },
  learnMore: { label: 'Learn More', path: '/about' },
  slides: [],
}
