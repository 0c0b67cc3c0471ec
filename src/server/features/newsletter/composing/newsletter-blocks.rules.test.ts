import { expect, test } from 'vitest'
import type { NewsletterBlock } from '#contract/console/newsletter.ts'
import { contentFromMarkdown } from './campaign-text.service.ts'
import { blocksToMarkdown } from './newsletter-blocks.rules.ts'

const sources = {
  findEvent: (id: string) =>
    id === 'gala'
      ? { title: 'Gala *2030*', date: 'May 4, 2030', location: 'Macon', description: '1. A <b>feast</b>' }
      : null,
  findNews: (id: string) => (id === 'open' ? { title: 'We [open]', excerpt: 'At last.' } : null),
}
const pictures = new Map([
  ['/media/home/articles/lamp.jpg', { src: '/media/home/articles/_sizes/lamp.jpg.mail.jpg', width: 504 }],
])

test.each<[string, NewsletterBlock, string]>([
  ['text with formatting', { kind: 'text', markdown: 'Some **words**' }, '<p>Some <strong>words</strong></p>'],
  [
    'text from Word',
    { kind: 'text', markdown: '<p class=MsoNormal onclick="x()">Hi<script>1</script></p>' },
    '<p>Hi</p>',
  ],
  [
    'an image',
    { kind: 'picture', src: '/media/a.jpg', alt: 'A [cat]' },
    '<p><img src="/media/a.jpg" alt="A [cat]" /></p>',
  ],
  [
    'a stored image, in its email version',
    { kind: 'picture', src: '/media/home/articles/lamp.jpg', alt: 'A "lamp" <b>*lit*</b>' },
    '<p><img src="/media/home/articles/_sizes/lamp.jpg.mail.jpg" alt="A &quot;lamp&quot; &lt;b&gt;*lit*&lt;/b&gt;" width="504" /></p>',
  ],
  [
    'a stored image in a text, in its email version',
    { kind: 'text', markdown: 'See ![A "lamp"](/media/home/articles/lamp.jpg "x") and ![](/media/other.jpg).' },
    '<p>See <img src="/media/home/articles/_sizes/lamp.jpg.mail.jpg" alt="A &quot;lamp&quot;" width="504" /> and <img src="/media/other.jpg" alt="" />.</p>',
  ],
  [
    'a button',
    { kind: 'button', label: 'Join us!', url: 'https://example.com/a_b' },
    '<p><strong><a href="https://example.com/a_b">Join us!</a></strong></p>',
  ],
  [
    'an event, with Markdown characters escaped',
    { kind: 'event', id: 'gala' },
    '<h3><a href="/events/gala">Gala *2030*</a></h3>\n<p><strong>May 4, 2030</strong>, Macon</p>\n<p>1. A &lt;b&gt;feast&lt;/b&gt;</p>',
  ],
  ['an event that is gone', { kind: 'event', id: 'gone' }, ''],
  ['a news item', { kind: 'news', id: 'open' }, '<h3><a href="/news/open">We [open]</a></h3>\n<p>At last.</p>'],
])('%s', (_, block, html) => {
  expect(contentFromMarkdown(blocksToMarkdown([block], sources), pictures).html.trim()).toBe(html)
})
