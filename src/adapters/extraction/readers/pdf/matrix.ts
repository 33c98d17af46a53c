/** How points of one plane lie in another: stretched, turned and moved. */
export type Matrix = readonly [number, number, number, number, number, number];

/** Does what `inner` does, and then what `outer` does. */
export function multiplied(outer: Matrix, inner: ArrayLike<number>): Matrix {
  const { 0: a = 1, 1: b = 0, 2: c = 0, 3: d = 1, 4: x = 0, 5: y = 0 } = inner;
  return [
    outer[0] * a + outer[2] * b,
    outer[1] * a + outer[3] * b,
    outer[0] * c + outer[2] * d,
    outer[1] * c + outer[3] * d,
    outer[0] * x + outer[2] * y + outer[4],
    outer[1] * x + outer[3] * y + outer[5],
  ];
}
