import type { Association } from '#contract/association.ts'
import { formatLongDate } from '#contract/dates.ts'
import { Html, html } from '#server/mail/html.ts'
import { postalLine, printLetter, SANS, type Block, type Letter } from '#server/mail/letter.ts'
import type { StoredCampaign } from './campaign.repository.ts'

/** Where campaigns are read: `/newsletter/view/ID`, and the same with `.txt`. */
export const VIEW_PATH = '/newsletter/view/'

/** Stands in a printed letter where the link of each recipient goes. */
export const LEAVE_LINK = 'https://leave.invalid/here'

/** A campaign as it is mailed: `LEAVE_LINK` is to be replaced by the recipient's own link, in both forms. */
export function campaignLetter(campaign: StoredCampaign, siteUrl: string, association: Association): Letter {
  // Mail programs do not show drawings.
  const picture = campaign.picture?.endsWith('.svg') ? null : campaign.picture
  return print({ ...campaign, picture }, siteUrl, association, [
    ...(campaign.hasView
      ? [
          {
            kind: 'link',
            lead: 'Hard to read?',
            label: 'Open it in your browser',
            url: `${siteUrl}${VIEW_PATH}${campaign.id}`,
          } satisfies Block,
        ]
      : []),
    {
      kind: 'link',
      lead: 'You get this letter because you asked for our newsletter.',
      label: 'Leave the newsletter',
      url: LEAVE_LINK,
    },
  ])
}

/** The same to be read on the site by anyone; links open beside it. */
export function campaignView(campaign: StoredCampaign, siteUrl: string, association: Association): Letter {
  const head = html`<base target="_blank" />
    <meta name="description" content="${campaign.snippet}" />
    <link rel="canonical" href="${siteUrl}${VIEW_PATH}${campaign.id}" />`
  return print(
    campaign,
    siteUrl,
    association,
    [
      {
        kind: 'link',
        lead: `Sent on ${formatLongDate(campaign.sentAt ?? campaign.createdAt)}.`,
        label: 'All newsletters',
        url: `${siteUrl}/newsletter`,
      },
    ],
    head,
  )
}

function print(
  campaign: StoredCampaign,
  siteUrl: string,
  association: Association,
  ending: Block[],
  head?: Html,
): Letter {
  const words = withSiteAddresses(campaign, siteUrl)
  if (campaign.layout === 'own') return printOwnDesign({ ...campaign, ...words }, association, ending, head)
  return printLetter(
    {
      subject: campaign.subject,
      preview: campaign.snippet,
      heading: campaign.name,
      blocks: [
        ...(campaign.picture
          ? [{ kind: 'picture', url: new URL(campaign.picture, siteUrl).href, alt: '' } satisfies Block]
          : []),
        { kind: 'words', html: new Html(styled(withButtons(words.html))), text: words.text },
        ...ending,
      ],
      ...(head && { head }),
    },
    association,
  )
}

const SOFT = `font:400 14px/1.6 ${SANS};color:#48605f`

/** A design that was given stays as it is; who sends it and how to leave stand below. */
function printOwnDesign(
  { subject, html: design, text }: StoredCampaign,
  association: Association,
  ending: Block[],
  head?: Html,
): Letter {
  const links = ending.filter((block) => block.kind === 'link')
  const sender = `${association.name}, ${postalLine(association)}, ${association.email}`
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${subject}</title>
        ${head ?? ''}
      </head>
      <body style="margin:0">
        ${new Html(design)}
        <div style="padding:24px;text-align:center;background:#fbf3e3;${SOFT}">
          ${links.map(({ lead, label, url }) => html`${lead} <a href="${url}" style="color:#0f5a58">${label}</a><br />`)}
          ${sender}
        </div>
      </body>
    </html>`
  const endings = links.map(({ lead, label, url }) => `${lead} ${label}:\n${url}`)
  return { subject, html: String(page), text: `${[text, ...endings, `-- \n${sender}`].join('\n\n')}\n` }
}

// Of sanitised HTML and of text made from it only.
const OWN_ADDRESS = /(?<= (?:href|src)=")\/(?!\/)/g
const OWN_ADDRESS_IN_TEXT = /(?<=\()\/(?=[\w/-])/g

function withSiteAddresses(words: { html: string; text: string }, siteUrl: string): { html: string; text: string } {
  return {
    html: words.html.replaceAll(OWN_ADDRESS, `${siteUrl}/`),
    text: words.text.replaceAll(OWN_ADDRESS_IN_TEXT, `${siteUrl}/`),
  }
}

const STYLES: Record<string, string> = {
  p: 'margin:16px 0 0',
  h2: 'margin:30px 0 0;font:700 23px/1.2 Georgia,serif;color:#0f4147',
  h3: 'margin:24px 0 0;font:700 19px/1.25 Georgia,serif;color:#0f4147',
  ul: 'margin:16px 0 0;padding-left:24px',
  ol: 'margin:16px 0 0;padding-left:24px',
  li: 'margin:6px 0 0',
  a: 'color:#0f5a58',
  blockquote: 'margin:18px 0 0;padding:2px 0 2px 18px;border-left:4px solid #e1831b',
  hr: 'margin:26px 0 10px;border:0;border-top:1px solid #e2d4b8',
  img: 'display:block;max-width:100%;height:auto;margin:18px 0 0',
  th: 'padding:6px 12px 6px 0;text-align:left',
  td: 'padding:6px 12px 6px 0',
}

// Of sanitised HTML only: a link alone in bold on its line.
const LONE_LINK = /<p><strong><a href="([^"]*)">([^<]*)<\/a><\/strong><\/p>/g

/** As the buttons of other letters. `styled` passes over a tag whose name ends its line. */
function withButtons(sanitised: string): string {
  return sanitised.replaceAll(
    LONE_LINK,
    (_, address: string, label: string) =>
      `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:26px 0 0"><tr><td\nstyle="background:#e1831b;border-bottom:3px solid #7c2a22;border-radius:7px"><a\nhref="${address}" style="display:inline-block;padding:15px 30px;font:700 17px/1.2 ${SANS};color:#0b2a30;text-decoration:none">${label}</a></td></tr></table>`,
  )
}

// Of sanitised HTML only, where a tag begins with its name.
const STYLED_TAG = new RegExp(`<(${Object.keys(STYLES).join('|')})(?=[ >])`, 'g')

/** Mail programs drop style sheets: each element carries its own. */
function styled(sanitised: string): string {
  return sanitised.replaceAll(STYLED_TAG, (_, tag: string) => `<${tag} style="${STYLES[tag]}"`)
}
