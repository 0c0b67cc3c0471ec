import type { Association } from '#contract/public/association.ts'
import { formatLongDate } from '#contract/dates/dates.ts'
import { plainText } from '#server/emails/words.rules.ts'
import { Html, html } from '#server/emails/html.ts'
import {
  emailStyle,
  postalLine,
  renderEmail,
  type EmailBlock,
  type Email,
  type EmailStyle,
} from '#server/emails/email.ts'
import type { StoredCampaign } from './campaign.queries.ts'

/** Campaigns are served at `/newsletter/view/ID`, and as text with `.txt`. */
export const VIEW_PATH = '/newsletter/view/'

/** The placeholder for each recipient's unsubscribe link. */
export const UNSUBSCRIBE_PLACEHOLDER = 'https://leave.invalid/here'

/** Renders a campaign as an email that ends with the footer of its recipients. `withUnsubscribeUrl` puts the recipient's own link in. */
export function campaignEmail(
  campaign: StoredCampaign,
  { siteUrl, association, footer }: { siteUrl: string; association: Association; footer: EmailBlock[] },
): Email {
  // Email clients do not show SVG images.
  const picture = campaign.picture?.endsWith('.svg') ? null : campaign.picture
  return render({ ...campaign, picture }, siteUrl, association, footer)
}

/** The email with the recipient's own link, in the HTML and the text. null: its footer has none. */
export function withUnsubscribeUrl({ subject, html, text }: Email, url: string | null): Email {
  if (url === null) return { subject, html, text }
  return {
    subject,
    html: html.replaceAll(UNSUBSCRIBE_PLACEHOLDER, url),
    text: text.replaceAll(UNSUBSCRIBE_PLACEHOLDER, url),
  }
}

/** Renders the public view of a campaign; links open in a new tab. */
export function campaignView(campaign: StoredCampaign, siteUrl: string, association: Association): Email {
  const head = html`<base target="_blank" />
    <meta name="description" content="${campaign.snippet}" />
    <link rel="canonical" href="${siteUrl}${VIEW_PATH}${campaign.id}" />`
  return render(
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

function render(
  campaign: StoredCampaign,
  siteUrl: string,
  association: Association,
  footer: EmailBlock[],
  head?: Html,
): Email {
  const content = withAbsoluteUrls(campaign, siteUrl)
  const style = emailStyle(association)
  if (campaign.layout === 'own') return renderOwnDesign({ ...campaign, ...content }, association, footer, head)
  return renderEmail(
    {
      subject: campaign.subject,
      preview: campaign.snippet,
      heading: campaign.name,
      blocks: [
        ...(campaign.picture
          ? [{ kind: 'picture', url: new URL(campaign.picture, siteUrl).href, alt: '' } satisfies EmailBlock]
          : []),
        {
          kind: 'words',
          html: new Html(withInlineStyles(withButtons(content.html, style), style)),
          text: content.text,
        },
        ...footer,
      ],
      ...(head && { head }),
    },
    association,
  )
}

/** Keeps an imported design as it is and adds a footer with the sender and the unsubscribe link. */
function renderOwnDesign(
  { subject, html: design, text }: StoredCampaign,
  association: Association,
  footer: EmailBlock[],
  head?: Html,
): Email {
  const { colors, textFont } = emailStyle(association)
  const links = footer.filter((block) => block.kind === 'link')
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
        <div style="padding:24px;text-align:center;background:${colors.ground};font:400 14px/1.6 ${textFont};color:${colors['ink-soft']}">
          ${links.map(({ lead, label, url }) => html`${plainText(lead)} <a href="${url}" style="color:${colors.link}">${label}</a><br />`)}
          ${sender}
        </div>
      </body>
    </html>`
  const footers = links.map(({ lead, label, url }) => `${plainText(lead)} ${label}:\n${url}`)
  return { subject, html: String(page), text: `${[text, ...footers, `-- \n${sender}`].join('\n\n')}\n` }
}

// Applies only to sanitized HTML and the text made from it.
const SITE_PATH = /(?<= (?:href|src)=")\/(?!\/)/g
const SITE_PATH_IN_TEXT = /(?<=\()\/(?=[\w/-])/g

function withAbsoluteUrls(content: { html: string; text: string }, siteUrl: string): { html: string; text: string } {
  return {
    html: content.html.replaceAll(SITE_PATH, `${siteUrl}/`),
    text: content.text.replaceAll(SITE_PATH_IN_TEXT, `${siteUrl}/`),
  }
}

/** The style of each element, without quotation marks. */
function elementStyles({ colors, headingFont }: EmailStyle): Record<string, string> {
  return {
    p: 'margin:16px 0 0',
    h2: `margin:30px 0 0;font:700 23px/1.2 ${headingFont};color:${colors.heading}`,
    h3: `margin:24px 0 0;font:700 19px/1.25 ${headingFont};color:${colors.heading}`,
    ul: 'margin:16px 0 0;padding-left:24px',
    ol: 'margin:16px 0 0;padding-left:24px',
    li: 'margin:6px 0 0',
    a: `color:${colors.link}`,
    blockquote: `margin:18px 0 0;padding:2px 0 2px 18px;border-left:4px solid ${colors.action}`,
    hr: `margin:26px 0 10px;border:0;border-top:1px solid ${colors.line}`,
    img: 'display:block;max-width:100%;height:auto;margin:18px 0 0',
    th: 'padding:6px 12px 6px 0;text-align:left',
    td: 'padding:6px 12px 6px 0',
  }
}

// Applies only to sanitized HTML: a paragraph that is just a bold link.
const LONE_LINK = /<p><strong><a href="([^"]*)">([^<]*)<\/a><\/strong><\/p>/g

/** Renders such links as email buttons. A newline after the tag name keeps `withInlineStyles` from matching the tag. */
function withButtons(sanitized: string, { colors, textFont }: EmailStyle): string {
  return sanitized.replaceAll(
    LONE_LINK,
    (_, url: string, label: string) =>
      `<table role="presentation" cellpadding="0" cellspacing="0" style="margin:26px 0 0"><tr><td\nstyle="background:${colors.action};border-bottom:3px solid ${colors['action-edge']};border-radius:7px"><a\nhref="${url}" style="display:inline-block;padding:15px 30px;font:700 17px/1.2 ${textFont};color:${colors['action-ink']};text-decoration:none">${label}</a></td></tr></table>`,
  )
}

/** Email clients drop style sheets, so each element gets an inline style. Of sanitized HTML only, where a tag begins with its name. */
function withInlineStyles(sanitized: string, style: EmailStyle): string {
  const styles = elementStyles(style)
  const tags = new RegExp(`<(${Object.keys(styles).join('|')})(?=[ >])`, 'g')
  return sanitized.replaceAll(tags, (_, tag: string) => `<${tag} style="${styles[tag]}"`)
}
