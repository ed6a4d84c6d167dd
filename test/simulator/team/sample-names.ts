/** First and last names by language, so that lists look like real ones: umlauts, other scripts, long and short. */
export const peopleNames: readonly (readonly [first: readonly string[], last: readonly string[]])[] = [
  [
    ['Olivia', 'George', 'Amelia', 'Harry', 'Isla', 'Jack', 'Freya', 'Thomas', 'Grace', 'Siobhán', 'Rhys'],
    ['Smith', 'O’Connor', 'Whitfield', 'Clarke', 'Okafor', 'Patel', 'MacLeod', 'Llewellyn', 'Ng', "D'Arcy"],
  ],
  [
    ['Jürgen', 'Käthe', 'Björn', 'Sören', 'Hannelore', 'Jörg', 'Änne', 'Maximilian'],
    ['Müller', 'Größmann', 'Schäfer', 'Weiß', 'Böttcher', 'von der Osten-Sacken', 'Kühn'],
  ],
  [
    ['Élodie', 'Jean-François', 'Zoë', 'Raphaël', 'Chloé', 'Noël'],
    ['Lefèvre', 'Dubois', 'Garçon', 'Bélanger', 'de La Rochefoucauld'],
  ],
  [
    ['محمد', 'فاطمة', 'أحمد', 'ليلى', 'يوسف'],
    ['الهاشمي', 'بن سعيد', 'القحطاني', 'المنصوري'],
  ],
  [
    ['伟', '秀英', '娜', '建国', '欣怡'],
    ['王', '李', '张', '欧阳', '陈'],
  ],
  [
    ['Анна', 'Дмитрий', 'Ольга', 'Сергей'],
    ['Иванова', 'Шевченко', 'Кузнецов', 'Соловьёва'],
  ],
  [
    ['Agnieszka', 'Łukasz', 'Zbigniew', 'Małgorzata'],
    ['Wiśniewska', 'Brzęczyszczykiewicz', 'Żak', 'Śliwa'],
  ],
  [
    ['José', 'Begoña', 'Iñaki', 'Conceição', 'João'],
    ['Muñoz', 'Núñez Álvarez', 'Gonçalves', 'Peña'],
  ],
];

/** Names that cause harm unless shown as plain text: markup, reversed direction, formulas, invisible characters. */
export const hostileNames: readonly (readonly [first: string, last: string])[] = [
  ['<img src=x onerror=alert(1)>', '<b>Bold</b>'],
  ['Ali\u202Egnp.exe', 'Reversed'],
  ['=1+1', '@SUM(A1:A9)'],
  ['+44', '-2+3'],
  ['Zero\u200BWidth', 'Tab\tbed'],
  ['“Quoted”, "twice"', "Robert'); DROP TABLE users;--"],
  ['Z̷̢̛͓a̴͎͝l̸̰̈g̶̱̓o̵͙͐', '🏟️👮🏽‍♀️'],
];

/** Devices: their kinds and places. */
export const deviceKinds = ['Tablet', 'Wrist unit', 'Radio', 'Kiosk', 'Body camera'] as const;
export const devicePlaces = [
  'Gate A',
  'Gate B',
  'Gate C',
  'North stand',
  'South stand',
  'East concourse',
  'West concourse',
  'Control room',
  'First aid post 1',
  'First aid post 2',
  'Tunnel',
  'Hospitality',
  'Press centre',
  'Car park 4',
] as const;
