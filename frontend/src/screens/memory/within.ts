// within says whether a key is meant for a part of the page: it was pressed in
// it, or where nothing has the keyboard but what the part stands in.
export function within(part: HTMLElement | undefined, target: EventTarget | null): boolean {
  return part !== undefined && target instanceof Node && (part.contains(target) || target.contains(part))
}
