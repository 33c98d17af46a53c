import { toldOfPeople } from "../../events/toldOfPeople.js";
import type { RecordedEvent } from "../../events/domainEvent.js";
import { categoryOf, groupMembersStream, idOf, type StreamName } from "../../events/streams.js";
import { toDatasourceId } from "../../shared/ids.js";
import type { UndoLog } from "./ports.js";

type ToldByPerson = ReadonlyMap<StreamName, readonly RecordedEvent[]>;

/** Everything that was written about what a stream is of: about a person by the stream of groups' members, too. */
export class EventsAbout {
  private readonly told = new Map<StreamName, Promise<ToldByPerson>>();

  constructor(private readonly log: Pick<UndoLog, "readStream">) {}

  /** In log order; those that are about more are cut down to what they say of this. */
  async read(stream: StreamName): Promise<readonly RecordedEvent[]> {
    const own = await this.log.readStream(stream, 0);
    if (categoryOf(stream) !== "user") return own;
    const members = groupMembersStream(toDatasourceId(idOf(stream).split(":")[0] ?? ""));
    const told = this.told.get(members) ?? this.readTold(members);
    this.told.set(members, told);
    const others = (await told).get(stream) ?? [];
    return [...own, ...others].sort((a, b) => Number(a.position - b.position));
  }

  private async readTold(members: StreamName): Promise<ToldByPerson> {
    const byPerson = new Map<StreamName, RecordedEvent[]>();
    for (const { person, recorded } of (await this.log.readStream(members, 0)).flatMap(toldOfPeople)) {
      const known = byPerson.get(person);
      if (known === undefined) byPerson.set(person, [recorded]);
      else known.push(recorded);
    }
    return byPerson;
  }
}
