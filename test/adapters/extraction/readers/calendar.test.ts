import { expect } from "chai";
import iconv from "iconv-lite";
import { readText } from "../../../support/files/readings.js";

const lines = async (...args: Parameters<typeof readText>): Promise<readonly string[]> =>
  (await readText(...args)).text.split("\n").filter((line) => line !== "");

describe("calendars", () => {
  const event = [
    ...["BEGIN:VCALENDAR", "PRODID:-//Some//Program//EN", "BEGIN:VTIMEZONE", "TZID:Europe/Berlin", "BEGIN:STANDARD"],
    ...["DTSTART:19701025T030000", "COMMENT:of a zone", "END:STANDARD", "END:VTIMEZONE", "BEGIN:VEVENT", "UID:17"],
    ...['DTSTART;TZID="Europe/Berlin":20260301T090000', "DTEND;VALUE=DATE:20260302"],
    ...["SUMMARY:New warehouse manage", " ment\\, phase 2", "DESCRIPTION:Agenda\\nBudget\\; costs", "LOCATION:Hall 3"],
    ...[
      'ORGANIZER;CN="Müller: Jörg":mailto:jm@example.org',
      "ATTENDEE;ROLE=REQ;CN=ada@example.org:mailto:ada@example.org",
    ],
    ...["BEGIN:VALARM", "DESCRIPTION:Reminder", "END:VALARM", "END:VEVENT", "BEGIN:VTODO", "SUMMARY:Second"],
    ...["END:VTODO", "END:VCALENDAR", ""],
  ].join("\r\n");
  const read = [
    ...["2026-03-01 09:00", "2026-03-02", "New warehouse management, phase 2", "Agenda", "Budget; costs", "Hall 3"],
    ...["Müller: Jörg <jm@example.org>", "ada@example.org", "Second"],
  ];

  it("are read as people read them, without zones and reminders, and known by how they begin", async () => {
    for (const declared of [{}, { name: "a.ics" }, { mimeType: "application/ics" }]) {
      expect(await lines(event, declared)).to.deep.equal(read);
      const { facts } = await readText(event, declared);
      expect([facts.mimeType, facts.title]).to.deep.equal(["text/calendar", "New warehouse management, phase 2"]);
    }
  });

  it("are read whatever lines a program makes of them", async () => {
    expect(
      await lines('BEGIN:VCALENDAR\nSUMMARY\nSUMMARY;X:\n;:\nSUMMARY;A="b:One\nEND:END\nSUMMARY:Two'),
    ).to.deep.equal(["Two"]);
    expect(await lines(`BEGIN:VCALENDAR\nSUMMARY${";A=b".repeat(100_000)}:${"\n x".repeat(100_000)}`)).to.have.length(
      1,
    );
  });
});

describe("cards", () => {
  it("are read with names, firms, addresses and numbers, without pictures", async () => {
    const text = [
      ...["BEGIN:VCARD", "VERSION:3.0", "N:Müller;Jörg;;Dr.;", "FN:Dr. Jörg Müller", "ORG:Example\\, Inc.;Sales"],
      ...[
        "item1.EMAIL;TYPE=INTERNET:jm@example.org",
        "TEL;TYPE=CELL:+49 170 1",
        "ADR;TYPE=WORK:;;Main Street 1;Köln;;50667;",
      ],
      ...["PHOTO;ENCODING=b;TYPE=JPEG:AAAA", " BBBB", "REV:20260101T000000Z", "UID:1", "END:VCARD", ""],
      ...["BEGIN:VCARD", "FN:Ada", "END:VCARD"],
    ].join("\r\n");
    expect(await lines(text, { name: "a.vcf" })).to.deep.equal([
      ...["Müller Jörg Dr.", "Dr. Jörg Müller", "Example, Inc., Sales", "jm@example.org", "+49 170 1"],
      ...["Main Street 1, Köln, 50667", "Ada"],
    ]);
    expect((await readText(text)).facts).to.include({ mimeType: "text/vcard", title: "Dr. Jörg Müller" });
  });

  it("of the nineties are read in quoted-printable, over several lines and in their charset", async () => {
    const text = [
      ...["BEGIN:VCARD", "VERSION:2.1", "FN;CHARSET=ISO-8859-1;QUOTED-PRINTABLE:J=F6rg M=", "=FCller"],
      ...["NOTE;ENCODING=QUOTED-PRINTABLE:One=0D=0Atwo=3B", "TITLE:Köchin", "END:VCARD"],
    ].join("\r\n");
    for (const bytes of [Buffer.from(text), iconv.encode(text, "cp1252")])
      expect(await lines(bytes)).to.deep.equal(["Jörg Müller", "One", "two;", "Köchin"]);
  });
});
