/* Structs by value, by pointer, nested, with arrays. */

#include "constructs.h"

double pair_sum(struct pair pair)
{
    return pair.x + 10 * pair.y;
}

double pair_read(const struct pair *pair)
{
    return pair->x + 10 * pair->y;
}

void pair_move(struct pair *pair, double by)
{
    pair->x += by;
    pair->y -= by;
}

struct pair pair_of(double x, double y)
{
    const struct pair made = {x, y};
    return made;
}

long stroke_sum(Stroke stroke)
{
    long sum = (long)(stroke.from.x + stroke.from.y + stroke.to.x + stroke.to.y);
    for (int i = 0; i < 3; i++)
        sum += 100 * (i + 1) * stroke.tags[i] + 1000 * (i + 1) * stroke.name[i];
    return sum + 10000 * stroke.mark + 100000 * (long)stroke.shade + 1000000 * stroke.closed;
}

void stroke_turn(Stroke *stroke)
{
    const struct pair from = stroke->from;
    stroke->from = stroke->to;
    stroke->to = from;
    stroke->tags[2] = -stroke->tags[0];
    stroke->mark = -stroke->mark;
    stroke->name[1] = 'x';
    stroke->shade = SHADE_LIGHT;
    stroke->closed = !stroke->closed;
}

Stroke stroke_between(struct pair from, const struct pair *to)
{
    Stroke made = {0};
    made.from = from;
    made.to = *to;
    made.tags[1] = 7;
    return made;
}

int grid_sum(const struct grid *grid)
{
    int sum = 0;
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            sum += (10 * row + column) * grid->cells[row][column];
    return sum + (int)grid->corners[1].y;
}

void grid_fill(struct grid *grid, short value)
{
    for (int row = 0; row < 2; row++)
        for (int column = 0; column < 3; column++)
            grid->cells[row][column] = (short)(value + 10 * row + column);
    grid->corners[0].x = value;
}

void swap(struct swap *swap)
{
    const int a = swap->a;
    swap->a = swap->b;
    swap->b = a;
}

bool pair_given(const struct pair *pair)
{
    return pair != NULL;
}
