// landmark gives where what floats beside an element belongs in the page: its
// dialog, else the main part, so that screen readers find it within a landmark.
export function landmark(near: Element | null): Element {
  return near?.closest('[role="dialog"]') ?? document.getElementById('content') ?? document.body
}
