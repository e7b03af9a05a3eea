// The projects of the tests and of the screenshots, with what was said in them.
// Everything is invented. A session is a branch, a title, the day it began, and
// its turns: what the person wrote and what the assistant answered.

const harbour = {
  name: 'harbour',
  files: {
    'README.md': '# harbour\n\nBerths of a small marina, booked by the night.\n',
    'CLAUDE.md':
      '# harbour\n\nTalk to the harbour master before you change the price list.\n\n- Run `make check` before you say that something works.\n',
  },
  sessions: [
    {
      branch: 'main',
      title: 'Bookings that overlap',
      day: '2026-10-05',
      turns: [
        [
          'Two boats got the same berth last night. Please find out how that can happen.',
          'The cause of overlapping bookings was a check outside of the transaction: two requests read the free berths before either of them had written. The check now runs inside the transaction with a lock on the berth, and a test starts twenty bookings at once.',
        ],
        [
          'Good. Always put the lock on the berth and never on the whole table, the office would stand still otherwise.',
          'The query that books takes `SELECT ... FOR UPDATE` on the row of the berth.',
        ],
        [
          'Money is always counted in whole cents, as integers. Never use floating point for a price.',
          'I changed the three places that used a float, and the price list is read as cents now.',
        ],
        ['Which time zone do we store?', 'No zone at all so far. I would take UTC.'],
        [
          'Yes. From now on all times in the database are UTC, and we convert to Europe/Lisbon when we print.',
          'Done, and the old values are migrated.',
        ],
        ['thanks, that is all for today', 'You are welcome.'],
      ],
    },
    {
      branch: 'main',
      title: 'Invoices',
      day: '2026-10-12',
      turns: [
        [
          'We need invoices as PDF. What would you take?',
          'Invoices are drawn by a small library, because a headless browser needs 300 MB on the server. The library draws the page in 40 ms.',
        ],
        [
          'Fine. Invoice numbers must never have a gap, the tax office asks about every one that is missing.',
          'The number is taken in the same transaction that writes the invoice, so one that fails leaves no hole.',
        ],
        [
          'The mail with the invoice arrives twice for some guests.',
          'The root cause was the retry of the mail queue: it sent again when the server answered slowly. Each mail carries an id now, and the queue asks whether that id went out before it sends.',
        ],
        [
          'We use pnpm in this repository, not npm. Please remember that.',
          'I will use pnpm from here on, and I removed the package-lock.json that I had made.',
        ],
        [
          'The guests want the invoice in English too.',
          'The texts are in locales/pt.json and locales/en.json, and the language of the booking picks the file.',
        ],
      ],
    },
    {
      branch: 'feature/waiting-list',
      title: 'A waiting list for full nights',
      day: '2026-10-20',
      turns: [
        [
          'When all berths are taken a guest should be able to wait. Whoever waits longest gets the berth, no exceptions.',
          'I added the table waiting with the time of the request. When a booking is cancelled the oldest entry that fits the length of the boat is offered the berth.',
        ],
        [
          'An offer is valid for two hours, after that the next one gets it. Do not send offers between ten in the evening and seven in the morning.',
          'Offers are made by a job that runs every five minutes and keeps quiet during the night in Lisbon time.',
        ],
        [
          'The tests of the job fail at random.',
          'They depended on the clock of the machine. The job takes the time as an argument now, and the tests hand in fixed times.',
        ],
        [
          'We decided to keep the length of a boat in centimetres, like the harbour does on its cards.',
          'Changed: boats.length_cm, and the form converts from metres.',
        ],
        ['ok commit', 'Committed as 91c0fe2.'],
      ],
    },
    {
      branch: 'fix/slow-calendar',
      title: 'The calendar takes four seconds',
      day: '2026-11-02',
      turns: [
        [
          'The calendar page takes four seconds in August. Why?',
          'It asks the database once per berth and day. One query with a join over the month brings it to 80 ms, and the index on (berth, night) is what makes the join fast.',
        ],
        [
          'Never cache the calendar. A stale free berth costs us a refund.',
          'No cache then, the query is fast enough by itself.',
        ],
        [
          'Please write down how I can measure that myself.',
          '`make bench-calendar` fills a database with a full August and prints the time of the page.',
        ],
      ],
    },
  ],
}

const greenhouse = {
  name: 'greenhouse',
  files: { 'README.md': '# greenhouse\n\nReads the sensors and opens the windows.\n' },
  sessions: [
    {
      branch: 'main',
      title: 'Sensors that lie',
      day: '2026-09-14',
      turns: [
        [
          'The window opened at night because sensor 4 said 85 degrees.',
          'The cause was a loose wire: the chip answers 85 when it was not ready. Such a value is thrown away now, and three in a row raise an alarm.',
        ],
        [
          '85 is exactly what the DS18B20 gives after power-on, so always drop it without asking.',
          'It is dropped at the place where the sensor is read, with a test.',
        ],
        [
          'The Pi has only 512 MB. Do not add pandas, plain csv is enough.',
          'I rewrote the report with the csv module.',
        ],
        [
          'We decided that a window never moves more than once in ten minutes, the motors do not like it.',
          'The controller keeps the time of the last move for each window and refuses earlier ones.',
        ],
        [
          'How do I try it without the hardware?',
          'Run `python -m greenhouse --fake`: it plays the day in testdata/day.csv a hundred times faster.',
        ],
        [
          'Great. Tests must always run with --fake, CI has no sensors.',
          'The fixture does that now, and a test that opens a real port fails with a message.',
        ],
      ],
    },
    {
      branch: 'feature/alarm',
      title: 'An alarm on the phone',
      day: '2026-10-28',
      turns: [
        [
          'I want a message on my phone when it freezes. No cloud service please.',
          'ntfy on the Pi itself does that: one POST, and the app on the phone listens to your own server.',
        ],
        [
          'At most one alarm an hour, I do not want to be woken twelve times.',
          'The time of the last alarm is kept in a file, so a restart does not send it again.',
        ],
        [
          'It said frost at 3 degrees.',
          'The root cause was the unit: the outer sensor gives tenths of a degree. It is converted where it is read.',
        ],
      ],
    },
  ],
}

const almanac = {
  name: 'almanac',
  files: { 'README.md': '# almanac\n\nSunrise and sunset on one page.\n' },
  sessions: [
    {
      branch: 'main',
      title: 'Polar nights',
      day: '2026-08-03',
      turns: [
        [
          'The program crashes for Tromsø in December.',
          'There is no sunrise then, and the formula takes the arc cosine of a value above one. The result is an explicit "no sunrise" now and the page prints a dash.',
        ],
        [
          'Always print a dash and never an empty cell, people think that the print is broken.',
          'Every cell that has no time prints a dash.',
        ],
        [
          'Angles are in radians inside and in degrees only in what people type and read.',
          'I renamed the arguments of the formulas to say so.',
        ],
      ],
    },
  ],
}

export const projects = [harbour, greenhouse, almanac]

// contradiction is an item as a person wrote it, and a session that says
// otherwise.
export const contradiction = {
  mine: 'Indent with 4 spaces in every source file.',
  session: {
    branch: 'main',
    title: 'The formatter',
    day: '2026-11-10',
    turns: [
      [
        'Always indent with 2 spaces in every source file.',
        'Understood, I indent with 2 spaces in every source file from now on.',
      ],
    ],
  },
}

// manySessions is a project with a long history: n sessions on fifty branches.
export function manySessions(n) {
  const sessions = []
  for (let i = 0; i < n; i++) {
    const day = new Date(Date.UTC(2025, 0, 1) + i * 43_200_000).toISOString().slice(0, 10)
    sessions.push({
      branch: i % 50 ? `feature/part-${i % 50}` : 'main',
      title: `Work on part ${i}`,
      day,
      turns: [
        [`Please look at part ${i} of the parser again.`, `Part ${i} reads its input in one pass now.`],
        [`From now on part ${i} is checked before each release.`, 'I added that to the list of checks.'],
      ],
    })
  }
  return { name: 'thousand', files: { 'README.md': '# thousand\n' }, sessions }
}
