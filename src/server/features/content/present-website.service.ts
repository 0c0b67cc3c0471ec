import type { AddedLinks, AddedPage, HomeWords } from '#contract/public/association.ts'
import { isOwnPath, isPicture } from '#contract/fields.ts'
import {
  addedPageKind,
  homeKind,
  menuKind,
  type AddedPageValue,
  type HomeValue,
} from '#server/features/content-store/kinds/website.kinds.ts'
import type { PublishedRecord, PublishedRecords } from '#server/features/content-store/record-set.rules.ts'
import { withContents } from '#server/features/content-store/page-contents.rules.ts'

/** The added pages by address, their links, and the addresses that moved. */
export interface PresentWebsite {
  home: HomeWords
  addedPages: Map<string, AddedPage>
  addedLinks: AddedLinks
  /** Former path to current path. */
  movedPaths: ReadonlyMap<string, string>
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
    addedLinks: listLinks(pages, records.single(menuKind)?.pages ?? []),
    movedPaths: new Map(
      pages.flatMap(({ value: { address, formerAddresses = [] } }) =>
        // A page that has the address now comes first.
        formerAddresses.filter((former) => !current.has(former)).map((former) => [`/${former}`, `/${address}`]),
      ),
    ),
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

/** In the order of the menu's record; pages that it does not have come last, by title. */
function listLinks(
  pages: readonly PublishedRecord<AddedPageValue>[],
  order: readonly { page: string; isHidden?: boolean | undefined }[],
): AddedLinks {
  const position = (id: string) => {
    const at = order.findIndex(({ page }) => page === id)
    return at === -1 ? order.length : at
  }
  const shown = pages
    .filter(({ id }) => !order.find(({ page }) => page === id)?.isHidden)
    .toSorted((a, b) => position(a.id) - position(b.id))
    .map(({ value }) => value)
  const linkOf = ({ address, title, menuLabel }: AddedPageValue) => ({ path: `/${address}`, label: menuLabel ?? title })
  return {
    menu: shown.flatMap((page) => (page.menu === 'none' ? [] : [{ ...linkOf(page), nav: page.menu }])),
    footer: shown.filter(({ isInFooter }) => isInFooter).map(linkOf),
  }
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
