import type { DescribedPicture, PictureDetail } from '#contract/console/media.ts'

/** Two stored pictures, of which the first is used. */
export const lamp: DescribedPicture = {
  key: 'articles/lamp.jpg',
  url: '/media/home/articles/lamp.jpg?v=1',
  bucket: 'home',
  folder: 'articles',
  name: 'lamp.jpg',
  filename: 'lamp.jpg',
  size: 20_480,
  lastModified: '2030-01-01T00:00:00.000Z',
  alt: 'A lamp',
  caption: null,
  person: null,
  address: '/media/home/articles/lamp.jpg',
  usedIn: [
    { title: 'Gala', what: 'event', path: '/console/content/events/gala', how: ['public', 'draft'] },
    { title: 'Spring', what: 'newsletter', path: '/console/newsletter/n1', how: ['sent'] },
  ],
}
export const sand: DescribedPicture = {
  ...lamp,
  key: 'articles/sand.jpg',
  url: '/media/home/articles/sand.jpg?v=1',
  filename: 'sand.jpg',
  name: 'sand.jpg',
  alt: 'Sand',
  address: '/media/home/articles/sand.jpg',
  usedIn: [],
}
export const detail: PictureDetail = {
  ...lamp,
  label: 'For events, news and pages',
  use: 'Choose them where you write.',
  hasCaptions: false,
  hasPeople: false,
  people: [],
  isChosen: true,
  original: { width: 800, height: 600, preview: 'data:image/webp;base64,UklGRg==' },
  crop: null,
}
